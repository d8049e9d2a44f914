import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { createExtractor } from '../../../lib/extractor.js';
import { casesOf } from '../../../lib/samples.js';
import { kebabCase } from '../../../src/output/shell-words.js';
import { expectedAnswers } from '../../support/cases.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { controlCharacters } from '../../support/control-characters.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

for (const endpoint of endpoints) {
  const [sample] = await casesOf(endpoint);
  const options = Object.entries(sample?.params ?? {}).map(
    ([name, value]) => `--${kebabCase(name)}=${value}`,
  );
  const args = [...endpoint.path.split('/'), ...options, '--demo'];
  const want = sample === undefined ? [] : expectedAnswers(endpoint, sample);
  const items = endpoint.many ? (want as unknown[][]).flat() : want;
  const all = endpoint.page === null ? [] : ['--all'];

  test(`${endpoint.path}: the sample as json, free of charge`, async () => {
    const ran = assertExit(await extract(args), 0);
    assert.equal(ran.err, '');
    const { data, meta } = JSON.parse(ran.out);
    assert.deepEqual(data, want[0]);
    assert.deepEqual([meta.credits_charged, meta.credits_remaining], [0, 50_000]);
  });

  test(`${endpoint.path}: the sample as lines, all pages`, async () => {
    const ran = assertExit(await extract(argv`${args} ${all} --format ndjson`), 0);
    assert.deepEqual(ndjsonValues(ran.out), items);
  });

  test(`${endpoint.path}: the sample at terminals narrow and wide`, async () => {
    for (const stdoutColumns of [40, 120]) {
      const look = { stdoutColumns, stderrIsTTY: true, settings: { color: false } };
      const ran = await extract([...args, ...all], look);
      assertExit(ran, 0, /Sample data: no requests to the platform\.\n/);
      assert.doesNotMatch(ran.out, controlCharacters);
      assert.notEqual(ran.out.trim(), '');
    }
  });
}

test('a demo works without a usable data directory', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o400);
  const homeless = createExtractor({ home: path.join(file, 'home') });
  for (const endpoint of endpoints) {
    const [sample] = await casesOf(endpoint);
    const params = { ...sample?.params, ...(endpoint.page === null ? {} : { limit: 1 }), demo: true };
    const { meta } = await homeless.answer(endpoint, params);
    assert.equal(meta.credits_remaining, 0);
    if (meta.next_cursor !== null) await homeless.answer(endpoint, { ...params, cursor: meta.next_cursor });
  }
  await homeless.close();
});
