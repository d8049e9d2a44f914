import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { mediaFields, mediaOf } from '../../../src/files/media/media-items.js';
import { type FieldShape, fieldsOf } from '../../../src/files/result-files/fields.js';
import { answersOf, endpointOf, itemsOf } from '../result-files/harness.js';

/** The shape at a path, through lists. */
function shapeAt(shape: FieldShape, path: readonly string[]): FieldShape | undefined {
  if (shape.kind === 'list') return shapeAt(shape.of, path);
  const [name, ...rest] = path;
  if (name === undefined) return shape;
  const match = shape.kind === 'object' ? shape.fields.find((field) => field.name === name) : undefined;
  return match === undefined ? undefined : shapeAt(match.shape, rest);
}

describe('the media of items', () => {
  test('are in fields of the schemas, and on hosts that the platform lists', async () => {
    const having = endpoints.filter((endpoint) => mediaFields(endpoint).length > 0);
    assert.ok(having.length >= 9);
    for (const endpoint of having) {
      for (const field of mediaFields(endpoint)) {
        const shape = { kind: 'object', fields: fieldsOf(endpoint.returns) } as const;
        const named = shapeAt(shape, field.split('.'));
        assert.deepEqual(named, { kind: 'value', type: 'text' }, `${endpoint.path} ${field}`);
      }
      assert.ok(mediaOf(endpoint, itemsOf(endpoint, await answersOf(endpoint))).length > 0, endpoint.path);
    }
  });

  test('are numbered in their order, an address once, under a name that no path can escape', () => {
    const posts = endpointOf('photosocial/posts');
    const url = (number: number) => `https://scontent.cdninstagram.com/${number}.jpg`;
    const children = [{ media_url: url(1) }, { media_url: null }, { media_url: url(2) }];
    const item = (shortcode: string) => ({ shortcode, media_url: url(1), children });
    const rows = mediaOf(posts, [item('Ab_-1')]).map(({ item: name, number }) => [name, number]);
    assert.deepEqual(rows, [
      ['Ab_-1', 1],
      ['Ab_-1', 2],
    ]);
    for (const hostile of ['../../etc/passwd', 'a/b', '', '.', 'C:\\x', 'x'.repeat(500), 'a\0b']) {
      const [first] = mediaOf(posts, [item(hostile)]);
      assert.match(first?.item ?? '', /^[A-Za-z0-9_-]{9,100}$/);
    }
    assert.notEqual(mediaOf(posts, [item('a/b')])[0]?.item, mediaOf(posts, [item('a_b')])[0]?.item);
  });

  test('of items without identifiers are named by the picture, whatever its signature is', () => {
    const photos = endpointOf('maps/photos');
    const nameOf = (url: string) => mediaOf(photos, [{ url }])[0]?.item;
    const host = 'https://lh3.googleusercontent.com/p';
    assert.equal(nameOf(`${host}/a?x=1`), nameOf(`${host}/a?x=2`));
    assert.notEqual(nameOf(`${host}/a`), nameOf(`${host}/b`));
  });
});
