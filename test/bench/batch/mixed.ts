import path from 'node:path';
import { boundHeap } from '../../../src/files/batch-files/bound-heap.js';
import { checkMixed, runMixed } from '../../support/mixed-batch.js';
import { peakMb, reportCost, wantedRun } from './run.js';

/** A long list with errors, hangs and refusals in it. At its end the test checks its order and the ledger. */
const { origin, output, count } = wantedRun();
const mix = { count, hangEvery: 9_973, refusalEvery: 20_011, timeoutMs: 1500 };
const folder = path.dirname(output);
let earlyMb = 0;
boundHeap();
const report = reportCost();
const run = await runMixed(mix, {
  folder,
  origin,
  onLine({ inputs }) {
    if (inputs === 10_000) earlyMb = peakMb();
  },
});
report(count, { earlyMb });
await checkMixed(mix, folder, run);
