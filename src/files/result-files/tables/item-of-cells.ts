import * as z from 'zod';
import { bare } from '../../../../lib/params/describe.js';

/** Values of a row by column name; null or an empty string if missing. */
export type Cells = Readonly<Record<string, unknown>>;

export const isEmpty = (cell: unknown) => cell === null || cell === undefined || cell === '';

/** Converts a cell to its field's type. An empty cell is an empty string only if it cannot be null. */
function cellValue(schema: z.ZodType, inner: z.ZodType, cell: unknown): unknown {
  if (isEmpty(cell)) return inner instanceof z.ZodString && !schema.safeParse(null).success ? '' : null;
  if (typeof cell !== 'string') return cell;
  if (inner instanceof z.ZodNumber) return Number(cell);
  if (inner instanceof z.ZodBoolean) return cell === 'true' ? true : cell === 'false' ? false : cell;
  return inner instanceof z.ZodArray || inner instanceof z.ZodRecord ? JSON.parse(cell) : cell;
}

/**
 * Returns the object in a row of cells, with a column for each value in inner objects. Cells cannot distinguish a null
 * object from one with only nulls; the schemas allow only one of them, and it throws if one allows both.
 */
export function itemOfCells(schema: z.ZodType, cells: Cells, path: readonly string[] = []): unknown {
  const inner = bare(schema);
  if (!(inner instanceof z.ZodObject)) return cellValue(schema, inner, cells[path.join('.')]);
  const item = Object.fromEntries(
    Object.entries(inner.shape).map(([key, field]) => [
      key,
      itemOfCells(field as z.ZodType, cells, [...path, key]),
    ]),
  );
  if (!Object.values(item).every(isEmpty)) return item;
  const mayBeNull = schema.safeParse(null).success;
  if (mayBeNull && schema.safeParse(item).success)
    throw new Error(`the empty cells of ${path.join('.')} are an object of nulls, or null`);
  return mayBeNull ? null : item;
}
