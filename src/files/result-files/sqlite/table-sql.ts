import type { ValueType } from '../fields.js';
import type { TablePlan } from './table-plan.js';

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

const types: Readonly<Record<ValueType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'INTEGER',
  time: 'TEXT',
  json: 'TEXT',
};

function columnSql(name: string, type: ValueType): string {
  const column = `${quoteName(name)} ${types[type]}`;
  return type === 'boolean' ? `${column} CHECK (${quoteName(name)} IN (0, 1))` : column;
}

export function createTable({ name, keys, columns }: TablePlan): string {
  const lines = [
    ...keys.map((key) => `${columnSql(key.name, key.type)} NOT NULL`),
    ...columns.map((column) => columnSql(column.name, column.type)),
    `PRIMARY KEY (${keys.map((key) => quoteName(key.name)).join(', ')})`,
  ];
  return `CREATE TABLE IF NOT EXISTS ${quoteName(name)} (${lines.join(', ')}) STRICT`;
}

export function addColumns({ name, columns }: TablePlan, present: ReadonlySet<string>): string[] {
  return columns
    .filter((column) => !present.has(column.name))
    .map((column) => `ALTER TABLE ${quoteName(name)} ADD COLUMN ${columnSql(column.name, column.type)}`);
}

/** Does nothing if the key exists. Keys come first. */
export function insertRow({ name, keys, columns }: TablePlan): string {
  const all = [...keys, ...columns].map((column) => quoteName(column.name));
  const placeholders = all.map(() => '?').join(', ');
  return `INSERT INTO ${quoteName(name)} (${all.join(', ')}) VALUES (${placeholders}) ON CONFLICT DO NOTHING`;
}

/** Keys come last. */
export function updateRow({ name, keys, columns }: TablePlan): string {
  const set = columns.map((column) => `${quoteName(column.name)} = ?`).join(', ');
  return `UPDATE ${quoteName(name)} SET ${set} WHERE ${keys.map((key) => `${quoteName(key.name)} = ?`).join(' AND ')}`;
}

/** Deletes all rows with the same first key. */
export function deleteRows({ name, keys }: TablePlan): string {
  return `DELETE FROM ${quoteName(name)} WHERE ${quoteName(keys[0]?.name ?? '')} = ?`;
}
