/** Kinds of changes, as the table of counts names them. */
export const kinds = ['renamed', 'shifted', 'script out', 'cut', 'swapped', 'joined', 'counts'] as const;
export type Kind = (typeof kinds)[number];

/** A page after one change. */
export interface Change {
  readonly kind: Kind;
  /** Where, for the report. */
  readonly what: string;
  /** What a count in words says, where that is the change. */
  readonly value?: number;
  /** Made when it is looked at: a page has hundreds of changes, and is large. */
  text(): string;
}
