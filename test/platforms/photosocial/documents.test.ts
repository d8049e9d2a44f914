import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  documentsWith,
  fillVariables,
  knownDocuments,
} from '../../../lib/platforms/photosocial/documents.js';

describe('documents of the platform', () => {
  test('those with LoggedOut in their name are requested on the path that answers them truly', () => {
    for (const { name, path } of Object.values(knownDocuments)) {
      assert.equal(path, name?.includes('LoggedOut') ? '/api/graphql' : '/graphql/query', String(name));
    }
  });

  test('without replacements they are the known ones', () => {
    assert.equal(documentsWith(null), knownDocuments);
  });

  test('a replacement changes what it names and nothing else', () => {
    const documents = documentsWith({ post: { id: '123' }, hashtag: { variables: { word: '$keyword' } } });
    assert.deepEqual(documents.post, { ...knownDocuments.post, id: '123' });
    assert.deepEqual(documents.hashtag, { ...knownDocuments.hashtag, variables: { word: '$keyword' } });
    assert.deepEqual(documents.comments, knownDocuments.comments);
  });

  for (const wrong of [
    { pots: { id: '1' } },
    { post: { id: 'abc' } },
    { post: { id: 5 } },
    { post: { path: 'https://elsewhere.example/' } },
    { post: { other: 1 } },
    { post: '1' },
    [],
    'text',
  ]) {
    test(`a wrong replacement is a wrong setting: ${JSON.stringify(wrong)}`, () => {
      assert.throws(() => documentsWith(wrong), {
        code: 'invalid_parameter',
        message: /EXTRACT_PHOTOSOCIAL_DOCUMENTS/,
      });
    });
  }

  test('variables are filled in at any depth, an unknown one with null', () => {
    const template = { a: '$x', b: { c: ['$y', 'plain', 3, null, true] }, d: '$none' };
    assert.deepEqual(fillVariables(template, { x: 'X', y: '{"deep":"$x"}' }), {
      a: 'X',
      b: { c: ['{"deep":"$x"}', 'plain', 3, null, true] },
      d: null,
    });
  });
});
