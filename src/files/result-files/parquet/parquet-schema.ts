import type { ParquetWriter } from 'hyparquet-writer';
import type { Field, FieldShape, ValueType } from '../fields.js';

export type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const types: Readonly<Record<ValueType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
};

function elements(name: string, shape: FieldShape): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (shape.kind === 'value') return [{ ...optional, ...types[shape.type] }];
  if (shape.kind === 'object') {
    return [{ ...optional, num_children: shape.fields.length }, ...fieldElements(shape.fields)];
  }
  return [
    { ...optional, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...elements('element', shape.of),
  ];
}

const fieldElements = (fields: readonly Field[]) =>
  fields.flatMap(({ name, shape }) => elements(name, shape));

/** Every value is nullable, because a failed input has none. */
export function parquetSchema(columns: readonly Field[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...fieldElements(columns)];
}

type Converter = ((value: unknown) => unknown) | null;

/** Returns the conversion of a value for writing; null if it needs none. */
export function converterOf(shape: FieldShape): Converter {
  if (shape.kind === 'value') {
    if (shape.type === 'time') return (value) => (typeof value === 'string' ? new Date(value) : null);
    if (shape.type === 'integer') return (value) => (typeof value === 'number' ? BigInt(value) : null);
    return null;
  }
  if (shape.kind === 'list') {
    const each = converterOf(shape.of);
    return each === null ? null : (value) => (Array.isArray(value) ? value.map(each) : null);
  }
  const changed = shape.fields.flatMap(({ name, shape: inner }) => {
    const convert = converterOf(inner);
    return convert === null ? [] : [{ name, convert }];
  });
  if (changed.length === 0) return null;
  return (value) => {
    if (value === null || value === undefined) return null;
    const copy = { ...(value as Record<string, unknown>) };
    for (const { name, convert } of changed) copy[name] = convert(copy[name]);
    return copy;
  };
}
