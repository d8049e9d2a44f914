import type { ItemSource } from '../../../lib/read/item-source.js';
import type { ValueType } from './fields.js';

export interface SourceColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Returns null if the page does not say. `index` is the input's, from 0. */
  value(source: ItemSource | undefined, index: number): string | number | null;
}

/** Columns for the source of an item and when it was read, after the object's fields. */
export const sourceColumns: readonly SourceColumn[] = [
  { name: 'source_id', type: 'text', value: (source) => source?.id ?? null },
  { name: 'source_url', type: 'text', value: (source) => source?.url ?? null },
  { name: 'author_handle', type: 'text', value: (source) => source?.author?.handle ?? null },
  { name: 'author_name', type: 'text', value: (source) => source?.author?.name ?? null },
  { name: 'position', type: 'integer', value: (source) => source?.position ?? null },
  { name: 'fetched_at', type: 'time', value: (source) => source?.fetched_at ?? null },
  { name: 'input_index', type: 'integer', value: (_, index) => index },
];

export const sourceCells = (source: ItemSource | undefined, index: number) =>
  sourceColumns.map((column) => column.value(source, index));

export const sourceValues = (source: ItemSource | undefined, index: number) =>
  Object.fromEntries(sourceColumns.map(({ name, value }) => [name, value(source, index)]));
