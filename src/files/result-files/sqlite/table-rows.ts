import type { Database, Statement } from '../../../../lib/database/sqlite/driver.js';
import { valueAt } from '../../../output/selection.js';
import type { ValueType } from '../fields.js';
import type { OwnValues } from '../result-file.js';
import { beside, itemColumn, type TableColumn, type TablePlan } from './table-plan.js';
import { addColumns, createTable, deleteRows, insertRow, quoteName, updateRow } from './table-sql.js';

/**
 * Migrates a table of 0.1.0, whose rows were keyed by input and position. They get a separate key, because their
 * platform IDs were not stored.
 */
function rekeyTable(db: Database, plan: TablePlan): void {
  const present = (db.pragma(`table_info("${plan.name}")`) as { name: string; pk: number }[]).toSorted(
    (one, other) => one.pk - other.pk,
  );
  const isOlder = plan.keys[0]?.name === itemColumn && !present.some(({ name }) => name === itemColumn);
  if (present.length === 0 || !isOlder) return;
  const [input, position] = present.filter(({ pk }) => pk > 0).map(({ name }) => quoteName(name));
  const names = new Set(present.map(({ name }) => name));
  const columnNames = [...plan.keys, ...plan.columns]
    .map(({ name }) => name)
    .filter((name) => names.has(name));
  const earlier = quoteName(`${plan.name} of 0.1.0`);
  // The position of an item used to count from 0; in nested lists it still does.
  const values = columnNames.map((name) =>
    quoteName(name) === position ? `${position} + 1` : quoteName(name),
  );
  db.exec(`ALTER TABLE ${quoteName(plan.name)} RENAME TO ${earlier};
${createTable(plan)};
INSERT INTO ${quoteName(plan.name)} (${[itemColumn, ...columnNames].map(quoteName).join(', ')})
  SELECT 'of 0.1.0: ' || ${position} || ' ' || ${input}, ${values.join(', ')} FROM ${earlier};
DROP TABLE ${earlier};`);
}

type Value = string | number | null;

function boundValue(value: unknown, type: ValueType): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (type === 'json') return JSON.stringify(value);
  return value as string | number;
}

/** The columns next to an item's fields. */
export interface Around {
  readonly input?: string;
  /** By column name. */
  readonly source?: Readonly<Record<string, string | number | null>>;
  /** The changes of an object, as rows of their table. */
  readonly changes?: readonly object[];
  readonly own?: OwnValues | undefined;
}

function columnValue({ path, type }: TableColumn, item: unknown, around: Around): Value {
  const { input, source, own } = around;
  const [first, name = ''] = path;
  if (first === beside.input) return input ?? null;
  if (first === beside.source) return source?.[name] ?? null;
  if (first === beside.own) return boundValue(own, 'json');
  return boundValue(valueAt(item, path), type);
}

/** Creates a table, or adds missing columns to an older one. */
function prepareTable(db: Database, plan: TablePlan): void {
  rekeyTable(db, plan);
  db.exec(createTable(plan));
  const present = new Set(
    (db.pragma(`table_info("${plan.name}")`) as { name: string }[]).map(({ name }) => name),
  );
  for (const statement of addColumns(plan, present)) db.exec(statement);
}

/** Writes the rows of one table and of the lists inside its items. */
export class TableRows {
  readonly #plan: TablePlan;
  readonly #insert: Statement;
  readonly #update: Statement | undefined;
  readonly #delete: Statement;
  readonly #lists: readonly { readonly path: readonly string[]; readonly rows: TableRows }[];

  constructor(db: Database, plan: TablePlan) {
    this.#plan = plan;
    prepareTable(db, plan);
    this.#insert = db.prepare(insertRow(plan));
    this.#update = plan.columns.length === 0 ? undefined : db.prepare(updateRow(plan));
    this.#delete = db.prepare(deleteRows(plan));
    this.#lists = plan.lists.map(({ path, table }) => ({ path, rows: new TableRows(db, table) }));
  }

  /** Deletes the rows of an item and of its lists. */
  delete(key: string): void {
    this.#delete.run(key);
    for (const { rows } of this.#lists) rows.delete(key);
  }

  /** Writes an item under its keys, replacing any earlier one. */
  write(keys: readonly Value[], item: unknown, around: Around = {}): void {
    const values = this.#plan.columns.map((column) => columnValue(column, item, around));
    if (this.#insert.run(...keys, ...values).changes === 0) {
      this.#update?.run(...values, ...keys);
      for (const { rows } of this.#lists) rows.delete(keys[0] as string);
    }
    for (const { path, rows } of this.#lists) {
      const list = path[0] === beside.changed ? around.changes : valueAt(item, path);
      if (!Array.isArray(list)) continue;
      for (let position = 0; position < list.length; position += 1) {
        rows.write([...keys, position], list[position]);
      }
    }
  }
}
