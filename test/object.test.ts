import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { object } from '../lib/object.js';

function counted() {
  let count = 0;
  const schema = object(() => {
    count += 1;
    return { name: z.string().describe('Name.'), size: z.int().nullable() };
  });
  return { schema, made: () => count };
}

describe('an object of the contract', () => {
  test('makes its fields when they are first looked at, and once', () => {
    const { schema, made } = counted();
    assert.equal(made(), 0);
    assert.deepEqual(Object.keys(schema.shape), ['name', 'size']);
    assert.equal(schema.shape.name, schema.shape.name);
    assert.deepEqual(schema.parse({ name: 'a', size: null }), { name: 'a', size: null });
    assert.equal(made(), 1);
  });

  test('is described, named and made nullable without looking at them', () => {
    const { schema, made } = counted();
    const described = schema.describe('A thing.').meta({ id: 'object_test_thing' });
    const list = z.array(described.nullable());
    assert.equal(made(), 0);
    assert.deepEqual(list.parse([null, { name: 'a', size: 1 }]), [null, { name: 'a', size: 1 }]);
    assert.equal(described.meta()?.id, 'object_test_thing');
  });

  test('takes exactly its keys', () => {
    const { schema } = counted();
    assert.equal(schema.safeParse({ name: 'a' }).success, false);
    assert.equal(schema.safeParse({ name: 'a', size: 1, more: 1 }).success, false);
    assert.equal(schema.safeParse({ name: 1, size: 1 }).success, false);
    assert.equal(schema.safeParse(null).success, false);
  });

  test('is the same JSON Schema as one made at once', () => {
    const { schema } = counted();
    const atOnce = z.strictObject({ name: z.string().describe('Name.'), size: z.int().nullable() });
    assert.deepEqual(z.toJSONSchema(schema), z.toJSONSchema(atOnce));
  });

  test('can be built upon', () => {
    const { schema } = counted();
    assert.deepEqual(Object.keys(schema.extend({ more: z.string() }).shape), ['name', 'size', 'more']);
    assert.deepEqual(Object.keys(schema.pick({ name: true }).shape), ['name']);
  });
});
