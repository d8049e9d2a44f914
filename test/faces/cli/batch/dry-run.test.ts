import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Interruption } from '../../../../src/faces/cli/exit-status-error.js';
import { argv, extract } from '../../../support/cli.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const input = path.join(temporaryFolder(), 'names.txt');
writeFileSync(input, 'ada\n'.repeat(2_000));

test('a dry run ends at the first signal, also for a chain', async () => {
  for (const [more, signal, status] of [
    [[], 'SIGINT', 130],
    [['--then', 'shortvideo/comments', '-o', path.join(path.dirname(input), 'out.ndjson')], 'SIGTERM', 143],
  ] as const) {
    const ending = new AbortController();
    const args = argv`batch shortvideo/search ${input} ${more} --dry-run`;
    const running = extract(args, {
      signal: ending.signal,
      extractor: { ledger: async () => ({ balance: async () => ({ credits: 1 }) }) as never },
    });
    await setImmediate();
    ending.abort(new Interruption(signal));
    const { status: ended, out } = await running;
    assert.equal(ended, status);
    assert.equal(out, '');
  }
});
