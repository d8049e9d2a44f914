import { changeColumns } from '../change-columns.js';
import { type Field, fieldsOf, type ValueType } from '../fields.js';
import { itemKey } from '../item-key.js';
import type { ResultFileShape } from '../result-file.js';
import { sourceColumns } from '../source-columns.js';

export interface TableColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Names from the item to the value; empty for the item itself. */
  readonly path: readonly string[];
}

/** A table: of the items of an endpoint, or of a list inside them. */
export interface TablePlan {
  readonly name: string;
  /** The primary key, in order. */
  readonly keys: readonly { readonly name: string; readonly type: 'text' | 'integer' }[];
  readonly columns: readonly TableColumn[];
  /** Tables of the lists inside an item, with the path to each list. */
  readonly lists: readonly { readonly path: readonly string[]; readonly table: TablePlan }[];
}

/** Values next to an item's fields, under names that no field has. */
export const beside = { input: '\0input', source: '\0source', changed: '\0changed', own: '\0own' } as const;

export interface EndpointTables {
  readonly items: TablePlan;
  /** The field that identifies an item; null if the column `item` does, because objects have no ID. */
  readonly key: string | null;
}

/** The column that identifies an item whose object has no ID. */
export const itemColumn = 'item';

type Keys = TablePlan['keys'];
type Columns = Pick<TablePlan, 'columns' | 'lists'>;

const joinNames = (names: readonly string[]) => names.join('_');

function freeName(name: string, usedNames: readonly string[]): string {
  return usedNames.includes(name) ? freeName(`item_${name}`, usedNames) : name;
}

function listTable(name: string, shape: Field['shape'], keys: Keys): TablePlan {
  const inside: Columns =
    shape.kind === 'object'
      ? spread(name, shape.fields, [], keys)
      : {
          columns: [{ name: 'value', type: shape.kind === 'value' ? shape.type : 'json', path: [] }],
          lists: [],
        };
  const columnNames = inside.columns.map((column) => column.name);
  return { name, keys: keys.map((key) => ({ ...key, name: freeName(key.name, columnNames) })), ...inside };
}

/**
 * Returns the columns of an object, with the names of inner fields joined by underscores, and a table for each list.
 */
function spread(table: string, fields: readonly Field[], path: readonly string[], keys: Keys): Columns {
  const parts = fields.map(({ name, shape }): Columns => {
    const columnPath = [...path, name];
    if (shape.kind === 'object') return spread(table, shape.fields, columnPath, keys);
    if (shape.kind === 'value')
      return { columns: [{ name: joinNames(columnPath), type: shape.type, path: columnPath }], lists: [] };
    // The last key of a list's rows is their position; the previous last key identifies the list.
    const outer = keys.map((key) => (key.name === 'position' ? { ...key, name: positionOf(table) } : key));
    const rowKeys = [...outer, { name: 'position', type: 'integer' as const }];
    return {
      columns: [],
      lists: [{ path: columnPath, table: listTable(`${table}_${joinNames(columnPath)}`, shape.of, rowKeys) }],
    };
  });
  return { columns: parts.flatMap(({ columns }) => columns), lists: parts.flatMap(({ lists }) => lists) };
}

const positionOf = (table: string) => `${table}_position`;

/** Returns the columns next to the fields of an item, under free names: a review already has its author's name. */
function extraColumns(shape: Omit<ResultFileShape, 'inputs'>, usedNames: readonly string[]): TableColumn[] {
  const ofSources = shape.sources === true ? sourceColumns : [];
  const ofSource = ofSources.map(
    ({ name, type }): TableColumn => ({ name, type, path: [beside.source, name] }),
  );
  const ownColumn: TableColumn = { name: 'own', type: 'json', path: [beside.own] };
  return [
    ...ofSource.filter(({ name }) => !usedNames.includes(name)),
    ...(shape.ownColumns === undefined || shape.ownColumns.length === 0 ? [] : [ownColumn]),
  ];
}

/**
 * Returns the tables of an endpoint, from its schema. `sources` adds columns for each item's source. With `news` a
 * table has the latest changes of each object: one row per field.
 */
export function endpointTables(shape: Omit<ResultFileShape, 'inputs'>): EndpointTables {
  const { endpoint } = shape;
  const name = endpoint.path.replace('/', '_');
  const key = itemKey(endpoint);
  const keys: Keys = [{ name: key ?? itemColumn, type: 'text' }];
  const { columns, lists } = spread(name, fieldsOf(endpoint.returns), [], keys);
  const dataColumns = columns.filter((column) => column.name !== key);
  // The input that last returned the item.
  const input: TableColumn = { name: 'input', type: 'json', path: [beside.input] };
  const more = extraColumns(
    shape,
    dataColumns.map((column) => column.name),
  );
  const changes: TablePlan['lists'][number] = {
    path: [beside.changed],
    table: {
      name: `${name}_changed`,
      keys: [...keys, { name: 'position', type: 'integer' }],
      columns: changeColumns.map((column) => ({ name: column, type: 'text', path: [column] })),
      lists: [],
    },
  };
  const all = shape.onlyNew === true ? [...lists, changes] : lists;
  return { key, items: { name, keys, columns: [input, ...dataColumns, ...more], lists: all } };
}
