import { type FileHandle, open } from 'node:fs/promises';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type * as z from 'zod';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { bare } from '../../../../lib/params/describe.js';
import { version } from '../../../../lib/runtime/version.js';
import { changeColumns, changeRows, changeText } from '../change-columns.js';
import { type Field, fieldsOf, type ValueType, valueType } from '../fields.js';
import { inputValue } from '../input-columns.js';
import {
  type InputAnswer,
  inputParams,
  type ResultFileShape,
  type ResultFileWriter,
  recordsChanges,
} from '../result-file.js';
import { sourceColumns, sourceValues } from '../source-columns.js';
import { converterOf, parquetSchema } from './parquet-schema.js';

/** Rows of a group, and characters of their lines, which readers hold in memory, as we do. */
export const maxGroupRows = 5_000;
const maxGroupLength = 8 * 1024 * 1024;

const text = { kind: 'value', type: 'text' } as const;
const textField = (name: string): Field => ({ name, shape: text });
const ownField: Field = { name: 'own', shape: { kind: 'value', type: 'json' } };

export const createdBy = (of: string) => `public-extract version ${of}`;

/** Writes encoded bytes to a file after each group of rows. */
export class FileBytes extends ByteWriter {
  declare readonly buffer: ArrayBuffer;
  declare index: number;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super(1024 * 1024);
    this.#handle = handle;
  }

  async flush(): Promise<void> {
    const bytes = new Uint8Array(this.buffer, 0, this.index);
    let done = 0;
    while (done < bytes.length) done += (await this.#handle.write(bytes, done)).bytesWritten;
    this.index = 0;
  }

  override async finish(): Promise<void> {
    await this.flush();
  }
}

/** A column of single values. */
interface ValueColumn {
  readonly name: string;
  readonly type: ValueType;
}

const valueField = ({ name, type }: ValueColumn): Field => ({ name, shape: { kind: 'value', type } });

/** All parameters with their types, because files of an endpoint are read together. */
const paramColumns = (endpoint: Endpoint): readonly ValueColumn[] =>
  inputParams(endpoint).map((name) => ({ name, type: valueType(bare(endpoint.params[name] as z.ZodType)) }));

/** Returns a parameter for its column; null if it has another type, because its input failed. */
function paramCell(value: unknown, type: ValueType): unknown {
  if (type === 'integer') return Number.isSafeInteger(value) ? BigInt(value as number) : null;
  if (type === 'number' || type === 'boolean') return typeof value === type ? value : null;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the columns of a file: the input, the nested fields of the object, changes, the error. */
function columnsOf(file: ResultFileShape): readonly Field[] {
  const { endpoint, inputs } = file;
  const fields = fieldsOf(endpoint.returns);
  const sourceFields = file.sources === true ? sourceColumns.map(valueField) : [];
  if (!inputs) return [...fields, ...sourceFields];
  return [
    { name: 'input', shape: { kind: 'object', fields: paramColumns(endpoint).map(valueField) } },
    ...fields,
    ...sourceFields,
    ...(recordsChanges(file) ? changeColumns.map(textField) : []),
    ...(file.ownColumns === undefined || file.ownColumns.length === 0 ? [] : [ownField]),
    { name: 'error', shape: { kind: 'object', fields: [textField('code'), textField('message')] } },
  ];
}

class ParquetFile implements ResultFileWriter {
  readonly #handle: FileHandle;
  readonly #writer: ParquetWriter;
  readonly #endpoint: Endpoint;
  readonly #params: readonly ValueColumn[];
  readonly #inputs: boolean;
  readonly #recordsChanges: boolean;
  readonly #sources: boolean;
  readonly #columns: readonly { name: string; convert: ReturnType<typeof converterOf>; data: unknown[] }[];
  readonly #groupRows: number;
  #rows = 0;
  #length = 0;

  constructor(handle: FileHandle, shape: ResultFileShape, groupRows: number) {
    const columns = columnsOf(shape);
    this.#handle = handle;
    this.#inputs = shape.inputs;
    this.#recordsChanges = recordsChanges(shape);
    this.#sources = shape.sources === true;
    this.#groupRows = Math.min(groupRows, maxGroupRows);
    this.#endpoint = shape.endpoint;
    this.#params = paramColumns(shape.endpoint);
    this.#writer = new ParquetWriter({
      writer: new FileBytes(handle),
      schema: parquetSchema(columns),
      createdBy: createdBy(version),
    });
    this.#columns = columns.map(({ name, shape: one }) => ({ name, convert: converterOf(one), data: [] }));
  }

  add({ input, index, own, items, sources, error, changed }: InputAnswer): Promise<void> | void {
    const inputCells = this.#inputs ? this.#inputOf(input) : null;
    for (const [at, item] of items.entries()) {
      const row = {
        ...(item as Readonly<Record<string, unknown>>),
        ...(this.#sources ? sourceValues(sources?.[at], index) : {}),
        own,
      };
      if (!this.#recordsChanges) this.#addRow(inputCells, row, null);
      else {
        for (const [field, before, after] of changeRows(changed)) {
          const changeCells = { changed: field, before: changeText(before), after: changeText(after) };
          this.#addRow(inputCells, { ...row, ...changeCells }, null);
        }
      }
    }
    if (error !== null && this.#inputs) {
      const row = { own, ...(this.#sources ? { input_index: index } : {}) };
      this.#addRow(inputCells, row, { code: error.code, message: error.message });
    }
    this.#length += JSON.stringify(items).length;
    const isFull = this.#rows >= this.#groupRows || this.#length >= maxGroupLength;
    return isFull ? this.#writeGroups() : undefined;
  }

  #inputOf(input: unknown): object {
    const cells = this.#params.map(({ name, type }) => [
      name,
      paramCell(inputValue(this.#endpoint, input, name), type),
    ]);
    return Object.fromEntries(cells);
  }

  #addRow(input: object | null, item: Readonly<Record<string, unknown>> | null, error: object | null): void {
    const columns = this.#columns;
    const last = columns.length - 1;
    for (let at = 0; at <= last; at += 1) {
      const { name, convert, data } = columns[at] as (typeof columns)[number];
      if (this.#inputs && at === 0) data.push(input);
      else if (this.#inputs && at === last) data.push(error);
      else {
        const value = item?.[name] ?? null;
        data.push(convert === null || value === null ? value : convert(value));
      }
    }
    this.#rows += 1;
  }

  /** Writes the pending rows; the list of one input may be longer than a group. */
  async #writeGroups(): Promise<void> {
    const columnData = this.#columns.map(({ name, data }) => ({ name, data }));
    await this.#writer.write({ columnData, rowGroupSize: this.#groupRows });
    for (const { data } of this.#columns) data.length = 0;
    this.#rows = 0;
    this.#length = 0;
  }

  async end(): Promise<void> {
    try {
      if (this.#rows > 0) await this.#writeGroups();
      await this.#writer.finish();
    } finally {
      await this.#handle.close();
    }
  }

  async abort(): Promise<void> {
    await this.#handle.close();
  }
}

/** Opens a Parquet file: one row per item, with the nested types of the endpoint's schema. */
export async function openParquetFile(
  file: string,
  shape: ResultFileShape,
  groupRows = maxGroupRows,
): Promise<ResultFileWriter> {
  return new ParquetFile(await open(file, 'w'), shape, groupRows);
}
