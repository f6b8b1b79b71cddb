import type { Simplify } from '../endpointTypes.ts';

/** A value for one named parameter of a path. */
export type PathValue = string | number;

/**
 * The parameters of a path pattern, inferred from its literal type. Names in an optional group are optional; a
 * wildcard takes a path or a list of segments. A pattern of type string takes any parameters.
 *
 * @example
 * type Params = PathParams<'/groups/:group{/members/:id}'>;
 * const params: Params = { group: 'crew' }; // an id if need be
 */
export type PathParams<P extends string> =
  IsPattern<P> extends true ? Readonly<Record<string, unknown>> : ParamsOf<Scan<P>>;

/**
 * Whether it stands for many texts, such as `string` or `/${string}`. An object without members has all the keys of such
 * a type.
 */
type IsPattern<P extends string> = string extends P
  ? true
  : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- has no members on purpose
    Record<never, never> extends Record<P, 0>
    ? true
    : false;

/** One parameter: [name, type of its value, whether it is in an optional group]. */
type Found = readonly [name: string, value: unknown, optional: boolean];

type ParamsOf<F extends Found> = Simplify<
  { readonly [R in Extract<F, readonly [string, unknown, false]> as R[0]]: R[1] } & {
    readonly [R in OptionalOnly<F, Extract<F, readonly [string, unknown, false]>[0]> as R[0]]?:
      | R[1]
      | undefined;
  }
>;

/** A parameter that is optional everywhere: a name that also occurs outside every group is required. */
type OptionalOnly<F extends Found, Required extends string> = F extends readonly [Required, unknown, true]
  ? never
  : Extract<F, readonly [string, unknown, true]>;

/**
 * Parses a pattern. `Depth` counts the open groups. Goes from one parameter to the next, and character by character only
 * where something else has a meaning: each step costs the compiler time.
 */
type Scan<
  P extends string,
  F extends Found = never,
  Depth extends readonly 0[] = [],
> = P extends `${infer Before}:${infer After}`
  ? Before extends Special
    ? ScanChar<P, F, Depth>
    : ScanAfter<TakeName<After>, PathValue, F, Depth>
  : P extends `${string}*${string}`
    ? ScanChar<P, F, Depth>
    : F;

/** A text with a character, other than a colon, that has a meaning in a pattern. */
type Special = `${string}${'\\' | '{' | '}' | '*'}${string}`;

/** Parses one character, and goes on. */
type ScanChar<
  P extends string,
  F extends Found,
  Depth extends readonly 0[],
> = P extends `${infer Char}${infer Rest}`
  ? Char extends '\\'
    ? Scan<Skip<Rest>, F, Depth>
    : Char extends '{'
      ? Scan<Rest, F, [...Depth, 0]>
      : Char extends '}'
        ? Scan<Rest, F, Depth extends readonly [0, ...infer Outer extends readonly 0[]] ? Outer : []>
        : Char extends '*'
          ? ScanAfter<TakeName<Rest>, string | readonly PathValue[], F, Depth>
          : Scan<Rest, F, Depth>
  : F;

type ScanAfter<T extends Taken, Value, F extends Found, Depth extends readonly 0[]> = Scan<
  T[1],
  F | readonly [T[0], Value, Depth extends readonly [] ? false : true],
  Depth
>;

/** A name and the rest of the pattern. */
type Taken = readonly [name: string, rest: string];

type TakeName<P extends string> = P extends `"${infer Rest}` ? TakeQuoted<Rest> : TakePlain<P>;

type TakeQuoted<P extends string, Name extends string = ''> = P extends `${infer Char}${infer Rest}`
  ? Char extends '"'
    ? readonly [Name, Rest]
    : Char extends '\\'
      ? Rest extends `${infer Escaped}${infer After}`
        ? TakeQuoted<After, `${Name}${Escaped}`>
        : readonly [Name, '']
      : TakeQuoted<Rest, `${Name}${Char}`>
  : readonly [Name, ''];

type TakePlain<P extends string, Name extends string = ''> = P extends `${infer Char}${infer Rest}`
  ? Char extends NameEnd
    ? readonly [Name, P]
    : TakePlain<Rest, `${Name}${Char}`>
  : readonly [Name, ''];

type Skip<P extends string> = P extends `${string}${infer Rest}` ? Rest : '';

/** ASCII characters that identifiers cannot contain. Beyond ASCII, every character counts as part of the name. */
type NameEnd = CharsOf<'/.-~:*{}()[]?!+\\"\'&=%#@,;|<>^` '>;

type CharsOf<Text extends string> = Text extends `${infer Char}${infer Rest}` ? Char | CharsOf<Rest> : never;

/**
 * A path without its last parameter and the segment part before it: if an item's path is `P`, this is the path of its
 * list. A slash at the end stays.
 *
 * @example
 * type List = ShortenPath<'/groups/:group/articles/:id'>;
 * const path: List = '/groups/:group/articles';
 */
export type ShortenPath<P extends string> = string extends P
  ? string
  : P extends `${string}?${string}`
    ? WithoutLast<P>
    : P extends `${string}/`
      ? `${TrimSlash<WithoutLast<P>>}/`
      : WithoutLast<P>;

type WithoutLast<P extends string> = Shorten<P> extends '' ? '/' : Shorten<P>;

/**
 * `Done` is the part that was parsed, `Cut` the result if the next parameter is the last, `Result` the result for the
 * last parameter so far. An optional group is cut as a whole.
 */
type Shorten<
  P extends string,
  Done extends string = '',
  Cut extends string = '',
  Result extends string | undefined = undefined,
  Depth extends readonly 0[] = [],
> = P extends `${infer Before}:${infer After}`
  ? Before extends Special | `${string}&${string}`
    ? ShortenChar<P, Done, Cut, Result, Depth>
    : ShortenName<
        After,
        `${Done}${Before}:`,
        Before extends `${string}/${string}` ? CutAt<`${Done}${WithoutSegment<Before>}`, Cut, Depth> : Cut,
        Depth
      >
  : P extends `${string}*${string}`
    ? ShortenChar<P, Done, Cut, Result, Depth>
    : Result extends string
      ? Result
      : ShortenChar<P, Done, Cut, Result, Depth>;

/** Goes on after the name of a parameter. */
type ShortenName<P extends string, Done extends string, Cut extends string, Depth extends readonly 0[]> =
  TakeName<P> extends readonly [string, infer After extends string]
    ? P extends `${infer Name}${After}`
      ? Shorten<After, `${Done}${Name}`, Depth extends readonly [] ? `${Done}${Name}` : Cut, Cut, Depth>
      : never
    : never;

/** A path without its last slash and what follows. */
type WithoutSegment<P extends string> = P extends `${infer Segment}/${infer Rest}`
  ? Rest extends `${string}/${string}`
    ? `${Segment}/${WithoutSegment<Rest>}`
    : Segment
  : P;

/** Goes on by one character, as `ScanChar` does. */
type ShortenChar<
  P extends string,
  Done extends string,
  Cut extends string,
  Result extends string | undefined,
  Depth extends readonly 0[],
> = P extends `${infer Char}${infer Rest}`
  ? Char extends '\\'
    ? Rest extends `${infer Escaped}${infer After}`
      ? Shorten<
          After,
          `${Done}\\${Escaped}`,
          Escaped extends '?' | '&' ? CutAt<Done, Cut, Depth> : Cut,
          Result,
          Depth
        >
      : Result extends string
        ? Result
        : P
    : Char extends '{'
      ? Shorten<Rest, `${Done}{`, Depth extends readonly [] ? TrimSlash<Done> : Cut, Result, [...Depth, 0]>
      : Char extends '}'
        ? Depth extends readonly [0, ...infer Outer extends readonly 0[]]
          ? Shorten<Rest, `${Done}}`, Outer extends readonly [] ? `${Done}}` : Cut, Result, Outer>
          : never
        : Char extends '*'
          ? ShortenName<Rest, `${Done}*`, Cut, Depth>
          : Shorten<
              Rest,
              `${Done}${Char}`,
              Char extends '/' | '&' ? CutAt<Done, Cut, Depth> : Cut,
              Result,
              Depth
            >
  : Result extends string
    ? Result
    : Done;

type CutAt<Done extends string, Cut extends string, Depth extends readonly 0[]> = Depth extends readonly []
  ? Done
  : Cut;

type TrimSlash<P extends string> = P extends `${infer Before}/` ? Before : P;
