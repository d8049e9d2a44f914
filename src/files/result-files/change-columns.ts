/** Columns for the changes of an object: field, old value, new value. */
export const changeColumns = ['changed', 'before', 'after'] as const;

/** All null for an object without changes. */
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

/** Converts a value to text for a column of strings: lists and objects as JSON. */
export function changeText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
