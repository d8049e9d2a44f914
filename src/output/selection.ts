import * as z from 'zod';
import { bare } from '../../lib/params/describe.js';

/** One value of an item as a cell: a field, possibly of a nested object. */
export interface Column {
  /** Names from the outside in, joined by dots. */
  readonly name: string;
  readonly path: readonly string[];
  readonly numeric: boolean;
  /** True for a time, as ISO 8601 text. */
  readonly isTime: boolean;
}

/** The fields shown of each item. Taken from the schema, so that columns never depend on the items. */
export interface Selection {
  readonly many: boolean;
  readonly columns: readonly Column[];
  /** True if the user named the fields. */
  readonly chosen: boolean;
  /** Names of the columns that a table shows, most interesting first. Default: the schema's fields, in order. */
  readonly preferred?: readonly string[] | undefined;
  /** Returns the chosen fields of an item, in the chosen order, with nested objects intact. */
  pick(item: unknown): unknown;
}

type Item = Readonly<Record<string, unknown>>;

function columnsOf(schema: z.ZodType, path: readonly string[]): Column[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([key, field]) =>
      columnsOf(field as z.ZodType, [...path, key]),
    );
  }
  const isTime = inner instanceof z.ZodISODateTime;
  return [{ name: path.join('.'), path, numeric: inner instanceof z.ZodNumber, isTime }];
}

export function interestingColumns({ columns, preferred }: Pick<Selection, 'columns' | 'preferred'>) {
  if (preferred === undefined) return columns;
  return preferred.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/** Returns the names that `--fields` accepts for an object: its fields, and the fields of nested objects. */
export function fieldNames(schema: z.ZodType, path: readonly string[] = []): string[] {
  const inner = bare(schema);
  const names = path.length === 0 ? [] : [path.join('.')];
  if (!(inner instanceof z.ZodObject)) return names;
  const fields = Object.entries(inner.shape);
  return names.concat(fields.flatMap(([key, field]) => fieldNames(field as z.ZodType, [...path, key])));
}

export function valueAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const key of path) value = value === null || value === undefined ? null : (value as Item)[key];
  return value ?? null;
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown, item: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inside = (item as Item | null)?.[key] ?? null;
  if (inside === null) {
    target[key] = null;
    return;
  }
  target[key] ??= {};
  put(target[key] as Record<string, unknown>, rest, value, inside);
}

/** Returns the first chosen field that a schema lacks, with the fields that it has; null if it lacks none. */
export function unknownField(
  schema: z.ZodType,
  fields: readonly string[],
): { readonly name: string; readonly fieldNames: readonly string[] } | null {
  const names = fieldNames(schema);
  const name = fields.find((field) => !names.includes(field));
  return name === undefined ? null : { name, fieldNames: names };
}

/** Selects fields of a schema, all of which must exist (`unknownField`); null selects all. */
export function select(
  schema: z.ZodType,
  many: boolean,
  fields: readonly string[] | null,
  preferred?: readonly string[],
): Selection {
  if (fields === null) {
    return {
      many,
      preferred,
      // Computed only for a table or a CSV file.
      get columns() {
        return columnsOf(schema, []);
      },
      chosen: false,
      pick: (item) => item,
    };
  }
  const columns = columnsOf(schema, []);
  const names = [...new Set(fields)];
  const paths = names.map((name) => name.split('.'));
  return {
    many,
    columns: names.flatMap((name) =>
      columns.filter((column) => column.name === name || column.name.startsWith(`${name}.`)),
    ),
    chosen: true,
    pick(item) {
      const selection: Record<string, unknown> = {};
      for (const path of paths) put(selection, path, valueAt(item, path), item);
      return selection;
    },
  };
}
