/** Columns for the changes of an object: the field's name, its value before, and its value after. */
export const changeColumns = ['changed', 'before', 'after'] as const;

/** The cells of one change; all are null for an object without a reported change. */
export type ChangeCells = readonly [field: string | null, before: unknown, after: unknown];

const noChange: ChangeCells = [null, null, null];

/**
 * Returns the changes of an object, `{field: [before, after]}`, as the cells of rows: one row per field, or one row
 * without changes.
 */
export function changeRows(changed: unknown): readonly ChangeCells[] {
  const fields = Object.entries((changed ?? {}) as Readonly<Record<string, readonly [unknown, unknown]>>);
  if (fields.length === 0) return [noChange];
  return fields.map(([field, [before, after]]) => [field, before, after]);
}

/** Returns a value as text for a column of strings: lists and objects as JSON. */
export function changeText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
