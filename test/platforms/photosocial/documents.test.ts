import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../../lib/config.js';
import {
  documentsWith,
  fillVariables,
  knownDocuments,
} from '../../../lib/platforms/photosocial/documents.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import type { Platform } from '../../../lib/platforms.js';
import { openServices } from '../../../lib/services.js';
import type { Route } from '../../../lib/web/routes.js';
import { readRoutes } from '../../support/read-routes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const wrongSetting = { code: 'invalid_parameter', message: /EXTRACT_PHOTOSOCIAL_DOCUMENTS/ };

describe('documents of the platform', () => {
  test('are requested on /api/graphql if their name contains LoggedOut', () => {
    for (const { name, path } of Object.values(knownDocuments)) {
      assert.equal(path, name?.includes('LoggedOut') ? '/api/graphql' : '/graphql/query', String(name));
    }
  });

  test('are the known ones without replacements', () => {
    assert.equal(documentsWith(null), knownDocuments);
  });

  test('are changed by a replacement only where it says so', () => {
    const documents = documentsWith({ post: { id: '123' }, hashtag: { variables: { word: '$keyword' } } });
    assert.deepEqual(documents.post, { ...knownDocuments.post, id: '123' });
    assert.deepEqual(documents.hashtag, { ...knownDocuments.hashtag, variables: { word: '$keyword' } });
    assert.deepEqual(documents.comments, knownDocuments.comments);
  });

  for (const wrong of [
    ...[{ pots: { id: '1' } }, { post: { id: 'abc' } }, { post: { id: 5 } }, { post: { other: 1 } }],
    ...[{ post: { path: 'https://elsewhere.example/' } }, { post: '1' }, [], 'text'],
  ]) {
    test(`refuse the replacement ${JSON.stringify(wrong)}`, () =>
      assert.throws(() => documentsWith(wrong), wrongSetting));
  }

  test('have variables at any depth; unknown ones are null', () => {
    const template = { a: '$x', b: { c: ['$y', 'plain', 3, null, true] }, d: '$none' };
    assert.deepEqual(fillVariables(template, { x: 'X', y: '{"deep":"$x"}' }), {
      a: 'X',
      b: { c: ['{"deep":"$x"}', 'plain', 3, null, true] },
      d: null,
    });
  });
});

describe('the setting EXTRACT_PHOTOSOCIAL_DOCUMENTS', () => {
  test('is the content of its file, for this platform alone', async () => {
    const file = path.join(temporaryFolder(), 'documents.json');
    await writeFile(file, '{"profile":{"id":"77"}}');
    const overridesOf = (env: Record<string, string>, platform: Platform = 'photosocial') =>
      openServices(readConfig({}, env)).overrides?.(platform);
    const env = { EXTRACT_PHOTOSOCIAL_DOCUMENTS: file };
    assert.deepEqual(await overridesOf(env), { profile: { id: '77' } });
    assert.equal(await overridesOf({}), null);
    assert.equal(await overridesOf(env, 'maps'), null);
  });

  const read = (overrides: object | null) => {
    const user = { pk: '1', username: 'new.lamp', bio_links: [], is_private: false };
    const body = JSON.stringify({ data: { xig_user_by_username: user } });
    const routes: Route[] = [
      { url: 'https://www.instagram.com/new.lamp/', body: '<html></html>' },
      { pattern: '/graphql/query$', requestBody: 'doc_id=77$', method: 'POST', body },
      { pattern: '.', status: 404, body: '{}' },
    ];
    return readRoutes<{ username: string }>(profile, { username: 'new.lamp' }, routes, { overrides });
  };

  test('replaces the document of a request', async () => {
    const { data } = await read({ profile: { id: '77', path: '/graphql/query' } });
    assert.equal(data.username, 'new.lamp');
    await assert.rejects(read(null), { code: 'platform_blocked' });
  });

  test('is refused by its name if it is wrong', () => assert.rejects(read({ profil: {} }), wrongSetting));
});
