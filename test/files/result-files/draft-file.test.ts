import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openDraft } from '../../../src/files/result-files/write-file.js';
import { aHarbour, inventedRows } from '../../support/invented-rows.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = path.join(folder, 'harbours.ndjson');
const [endpoint] = inventedRows;

const draftOf = () => {
  assert.ok(endpoint);
  const shape = { endpoint, kind: 'ndjson', inputs: false, sources: false, onlyNew: false } as const;
  return openDraft({ ...shape, file, run: { id: 'run_1', at: '2026-11-22T00:00:00.000Z' } });
};
const answerOf = (name: string) => ({
  ...{ input: undefined, index: 0, from: 0, error: null },
  items: [aHarbour({ name })],
});

test('of two writers of one file the second is refused, and the file is complete', async () => {
  const first = await draftOf();
  await first.writer.add(answerOf('first'));
  await assert.rejects(draftOf(), {
    code: 'invalid_parameter',
    message: /^Another process is writing harbours\.ndjson\./,
  });
  await first.writer.add(answerOf('whole'));
  await first.commit();
  assert.match(readFileSync(file, 'utf8'), /first.*whole/s);
  const draft = await draftOf();
  await draft.discard();
  const later = await draftOf();
  await later.writer.add(answerOf('later'));
  await later.commit();
  assert.match(readFileSync(file, 'utf8'), /later/);
  assert.deepEqual(readdirSync(folder), ['harbours.ndjson']);
});
