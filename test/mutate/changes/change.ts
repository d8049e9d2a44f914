/** Kinds of changes, as the table of counts names them. */
export const kinds = ['renamed', 'shifted', 'script out', 'cut', 'swapped', 'joined', 'counts'] as const;
/** Kinds that only run on request: they follow values of the page, which a reader may rightly follow. */
export const askedKinds = ['twins', 'digits', 'repeated', 'foreign rows', 'foreign block', 'sign'] as const;
export type Kind = (typeof kinds)[number] | (typeof askedKinds)[number];

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
