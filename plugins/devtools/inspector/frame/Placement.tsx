import { Icon, type IconName } from '../parts/Icon.tsx';
import { SIDES, THEMES, type Session } from './session.ts';

/** The position of the panel, and its color scheme. */
export function Placement({
  session: { side, theme },
  onChange,
}: {
  session: Session;
  onChange: (change: Partial<Session>) => void;
}) {
  const otherSide = after(SIDES, side);
  const otherTheme = after(THEMES, theme);
  return (
    <>
      <IconButton
        icon={theme}
        label={`Theme: ${theme}`}
        hint={`Change to ${otherTheme}`}
        onClick={() => onChange({ theme: otherTheme })}
      />
      <IconButton
        icon={otherSide}
        label={`Move to the ${otherSide}`}
        hint={`Move to the ${otherSide}`}
        className="movable"
        onClick={() => onChange({ side: otherSide })}
      />
    </>
  );
}

function IconButton({
  icon,
  label,
  hint,
  className = '',
  onClick,
}: {
  icon: IconName;
  label: string;
  hint: string;
  className?: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={`button icon-only ${className}`}
      aria-label={label}
      title={hint}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function after<Word>(words: readonly Word[], word: Word): Word {
  return words[(words.indexOf(word) + 1) % words.length] ?? word;
}
