import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { openJournal } from '../../src/files/batch-files/run-journal.js';
import { argv, assertExit, extract } from '../support/cli.js';
import { ndjsonValues } from '../support/ndjson.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('--dedupe', () => {
  test('leaves out what another input gave, also once its run is resumed', async () => {
    const file = path.join(temporaryFolder(), 'videos.ndjson');
    const args = argv`batch shortvideo/videos - --demo --dedupe -o ${file}`;
    const { err } = assertExit(await extract(args, { stdin: 'nasa\nnasa\n' }), 0);
    const ids = ndjsonValues(readFileSync(file, 'utf8')).flatMap(({ data }) =>
      data.map(({ id }: { id: string }) => id),
    );
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length);
    assert.match(err, /Skipped \d+ items? that another input gave\./);
    const other = await extract([...args.filter((arg) => arg !== '--dedupe'), '--resume'], {
      stdin: 'nasa\nnasa\n',
    });
    assert.match(other.err, /started with --dedupe/);
  });

  test('keeps of its journal what is confirmed, and no more', async () => {
    const file = path.join(temporaryFolder(), 'a.given');
    const first = await openJournal(file, 0, () => undefined);
    await first.add({ index: 0, texts: ['a'] });
    await first.add({ index: 2, texts: ['b'] });
    await first.add({ index: 3, texts: ['c'] });
    await first.close();
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"index":4,"te`);
    const entries: unknown[] = [];
    const second = await openJournal(file, 3, ({ texts }) => entries.push(texts));
    assert.deepEqual(entries, [['a'], ['b']]);
    await second.close();
    assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, 2);
  });
});
