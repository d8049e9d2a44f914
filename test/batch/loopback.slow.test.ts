import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkMixed, runMixed } from '../support/mixed-batch.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startUpstream, type Upstream } from '../support/upstream.js';

const folder = temporaryFolder();
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
});
after(() => upstream.close());

/** A million of them are run by `npm run bench batch`, which tells its memory too. */
const mix = { count: 10_000, hangEvery: 3331, refusalEvery: 501, timeoutMs: 8000 };

describe('ten thousand inputs over a network', () => {
  test('with errors, hangs and refusals among them come out in order, one line each, in bounded memory', async () => {
    let most = 0;
    const run = await runMixed(mix, {
      folder,
      origin: upstream.origin,
      onLine({ inputs }) {
        if (inputs % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
      },
    });
    await checkMixed(mix, folder, run);
    assert.ok(most < 250 * 1024 * 1024, `${Math.round(most / 1024 / 1024)} MB`);
  });
});
