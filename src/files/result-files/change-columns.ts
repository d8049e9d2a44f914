/** Columns of what changed of an object: the name of the field, its value before, and its value after. */
export const changeColumns = ['changed', 'before', 'after'] as const;

/** The cells of one change; all are null for an object without a reported change. */
export type ChangeCells = readonly [field: string | null, before: unknown, after: unknown];

const noChange: ChangeCells = [null, null, null];

/**
 * The changes of an object, `{field: [before, after]}`, as the cells of rows: a row a field, and one row where no change is
 * told.
 */
export function changeRows(changed: unknown): readonly ChangeCells[] {
  const fields = Object.entries((changed ?? {}) as Readonly<Record<string, readonly [unknown, unknown]>>);
  if (fields.length === 0) return [noChange];
  return fields.map(([field, [before, after]]) => [field, before, after]);
}

/** A value where all values of a column are texts: lists and objects as JSON. */
export function changeText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
