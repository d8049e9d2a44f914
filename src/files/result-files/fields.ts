import * as z from 'zod';
import { bare } from '../../../lib/params/describe.js';

export type ValueType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export type FieldShape =
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly of: FieldShape };

/** A field of an object, as in the endpoint's schema. */
export interface Field {
  readonly name: string;
  readonly shape: FieldShape;
}

export function valueType(schema: z.ZodType): ValueType {
  if (schema instanceof z.ZodISODateTime) return 'time';
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat || schema instanceof z.ZodEnum)
    return 'text';
  if (schema instanceof z.ZodNumber) return schema.format === null ? 'number' : 'integer';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return 'json';
}

function shapeOf(schema: z.ZodType): FieldShape {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return { kind: 'object', fields: fieldsOf(inner) };
  if (inner instanceof z.ZodArray) return { kind: 'list', of: shapeOf(inner.element as z.ZodType) };
  return { kind: 'value', type: valueType(inner) };
}

/** Returns the fields of an endpoint's object, in the order of its schema. */
export function fieldsOf(schema: z.ZodType): readonly Field[] {
  const inner = bare(schema);
  if (!(inner instanceof z.ZodObject)) return [{ name: 'value', shape: shapeOf(inner) }];
  return Object.entries(inner.shape).map(([name, field]) => ({ name, shape: shapeOf(field as z.ZodType) }));
}
