import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { isFormula, unescapeFormula } from '../../output/csv-cells.js';
import { select } from '../../output/selection.js';
import { changeColumns } from './change-columns.js';
import { sourceColumns } from './source-columns.js';

type Described = Pick<Endpoint, 'params' | 'returns'>;

/** The columns of failed inputs. */
export const errorColumns = ['error.code', 'error.message'] as const;

const reservedHeadings = [...sourceColumns.map(({ name }) => name), ...changeColumns, ...errorColumns];

/** Names that have a meaning in any table of results. */
interface ReservedNames {
  /** The columns of an item, its source, its changes and its error. */
  readonly columns: ReadonlySet<string>;
  /** The parameters of all endpoints that return such items, because a table does not say which of them made it. */
  readonly params: ReadonlySet<string>;
  /** All of them in lower case: `Name` next to `name` would be mistaken for it. */
  readonly folded: ReadonlySet<string>;
}

/** By parameters, as endpoints with other ones may return the same object. */
const cachedNames = new WeakMap<Described['params'], ReservedNames>();

function reservedNames({ params, returns }: Described): ReservedNames {
  const cached = cachedNames.get(params);
  if (cached !== undefined) return cached;
  const id = returns.meta()?.id;
  const alike = endpoints.filter((one) => id !== undefined && one.returns.meta()?.id === id);
  const columns = new Set([
    ...select(returns, false, null).columns.map(({ name }) => name),
    ...reservedHeadings,
  ]);
  const paramNames = new Set([params, ...alike.map((one) => one.params)].flatMap(Object.keys));
  const folded = new Set([...columns, ...paramNames].map((name) => name.toLowerCase()));
  const names = { columns, params: paramNames, folded };
  cachedNames.set(params, names);
  return names;
}

/** Returns the heading of a parameter: its name, or `input.NAME` if the items have a column of that name. */
export const paramHeading = (endpoint: Described, name: string): string =>
  reservedNames(endpoint).columns.has(name) ? `input.${name}` : name;

const isPlain = (name: string) =>
  name !== '' &&
  name === name.trim() &&
  !/^(own|input)\./.test(name) &&
  // A heading is read back without the apostrophe that protects a formula.
  !isFormula(name) &&
  unescapeFormula(name) === name;

/**
 * Returns the heading of the user's own column: its name, or `own.NAME` if the table has another use for that name. It
 * depends on the endpoint alone, so that files of several runs have the same headings.
 */
export const ownHeading = (endpoint: Described, name: string): string =>
  isPlain(name) && !reservedNames(endpoint).folded.has(name.toLowerCase()) ? name : `own.${name}`;

/** A column of a table of results that is not of the items. */
export interface CarriedColumn {
  readonly heading: string;
  readonly name: string;
}

/** The columns of a table of results that are not the items'. */
export interface CarriedColumns {
  readonly inputs: readonly CarriedColumn[];
  readonly own: readonly CarriedColumn[];
}

/**
 * Tells the columns of a table of results apart by their headings: whatever the items and the parameters do not use is
 * the user's own. Earlier releases wrote each with its prefix, which is read as well. Columns without a heading are
 * omitted.
 */
export function carriedColumns(endpoint: Described, headings: readonly string[]): CarriedColumns {
  const { columns, params } = reservedNames(endpoint);
  const inputs: CarriedColumn[] = [];
  const own: CarriedColumn[] = [];
  for (const heading of headings) {
    if (heading === '' || columns.has(heading)) continue;
    const [, prefix, rest = ''] = /^(own|input)\.(.*)$/s.exec(heading) ?? [];
    const column = { heading, name: prefix === undefined ? heading : rest };
    const isInput = prefix === 'input' || (prefix === undefined && params.has(heading));
    (isInput ? inputs : own).push(column);
  }
  return { inputs, own };
}

/** Returns a name that two of the columns share; undefined for none. */
export const repeatedName = (columns: readonly CarriedColumn[]): string | undefined =>
  columns.find(({ name }, at) => columns.findIndex((one) => one.name === name) !== at)?.name;
