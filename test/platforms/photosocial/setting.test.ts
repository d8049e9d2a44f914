import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import { readConfig } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { openServices } from '../../../lib/services.js';
import { routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

let dir: string;
before(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'documents-'));
});
after(() => rm(dir, { recursive: true, force: true }));

describe('the setting EXTRACT_PHOTOSOCIAL_DOCUMENTS', () => {
  const overridesOf = (file: string | undefined) => {
    const env = file === undefined ? {} : { EXTRACT_PHOTOSOCIAL_DOCUMENTS: file };
    return openServices(readConfig({}, env)).overrides?.('photosocial');
  };

  test('is the content of its file, for this platform alone', async () => {
    const file = path.join(dir, 'documents.json');
    await writeFile(file, '{"profile":{"id":"77"}}');
    assert.deepEqual(await overridesOf(file), { profile: { id: '77' } });
    assert.equal(await overridesOf(undefined), null);
    const services = openServices(readConfig({}, { EXTRACT_PHOTOSOCIAL_DOCUMENTS: file }));
    assert.equal(await services.overrides?.('maps'), null);
  });

  const ask = (overrides: never) => {
    const answer = JSON.stringify({
      data: { xig_user_by_username: { pk: '1', username: 'new.lamp', bio_links: [], is_private: false } },
    });
    const source = routeSource(dir, [
      { url: 'https://www.instagram.com/new.lamp/', body: '<html></html>' },
      { pattern: '/graphql/query$', requestBody: 'doc_id=77$', method: 'POST', body: answer },
      { pattern: '.', status: 404, body: '{}' },
    ]);
    const question = {
      endpoint: profile as Endpoint,
      identity: { username: 'new.lamp' },
      position: { position: null, seen: [] },
      limit: 1,
      overrides,
    };
    return fetchAnswer(question, source, stoppedClock);
  };

  test('leads a question to the document it names', async () => {
    const { answer } = await ask({ profile: { id: '77', path: '/graphql/query' } } as never);
    assert.equal(JSON.parse(answer.data).username, 'new.lamp');
    await assert.rejects(ask(null as never), { code: 'platform_blocked' });
  });

  test('is refused by its name where it is wrong', async () => {
    await assert.rejects(ask({ profil: {} } as never), {
      code: 'invalid_parameter',
      message: /EXTRACT_PHOTOSOCIAL_DOCUMENTS/,
    });
  });
});
