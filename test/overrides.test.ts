import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readOverrides } from '../lib/services.js';

let dir: string;
before(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'overrides-'));
});
after(() => rm(dir, { recursive: true, force: true }));

test('a file of replacements is its JSON, and corrections apply immediately', async () => {
  const file = path.join(dir, 'documents.json');
  await writeFile(file, '{"post":{"id":"1"}}');
  assert.deepEqual(await readOverrides('A_SETTING', file), { post: { id: '1' } });
  await writeFile(file, '{"post":{"id":"2"}}');
  assert.deepEqual(await readOverrides('A_SETTING', file), { post: { id: '2' } });
});

test('a file that is missing or no JSON is a wrong setting, by its name', async () => {
  const broken = path.join(dir, 'broken.json');
  await writeFile(broken, '{"post":');
  for (const file of [broken, path.join(dir, 'none.json'), dir]) {
    await assert.rejects(readOverrides('A_SETTING', file), {
      code: 'invalid_parameter',
      message: /A_SETTING/,
    });
  }
});
