/** Facts with their names; undefined ones are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, string | number | undefined>> }) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, fact]) =>
        fact === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
