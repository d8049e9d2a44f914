import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { imbalances } from '../../../lib/ledger/sqlite/integrity.js';
import { inspect } from '../../ledger/books.js';
import { assertExit } from '../../support/assert-exit.js';
import { killOnceWritten, startProgram } from '../../support/program-apart.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startUpstream, type Upstream } from '../../support/upstream.js';

const folder = temporaryFolder();
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
});
after(() => upstream.close());

/** Mostly accounts; every kind of failure in between, the same at each asking. */
function inputsOf(count: number): string {
  const kind = (at: number) => {
    if (at % 37 === 5) return `{"username":"missing${at}"}`;
    if (at % 101 === 7) return `{"username":"changed${at}"}`;
    if (at % 211 === 9) return `{"username":"shy${at}"}`;
    if (at % 97 === 11) return '{"username":';
    if (at % 89 === 3) return '{"handle":"nobody"}';
    return `{"username":"name${at}"}`;
  };
  return `${Array.from({ length: count }, (_, at) => kind(at)).join('\n')}\n`;
}

interface Files {
  readonly input: string;
  readonly output: string;
  readonly home: string;
}

const start = (files: Files, mode: string, more: object = {}) =>
  startProgram('files/batch-files/batch-program.ts', { origin: upstream.origin, ...files, mode, ...more });

async function finish(child: ChildProcess): Promise<{ finished: boolean; totals: { charged: number } }> {
  const { out } = assertExit(await outputOf(child), 0);
  return JSON.parse(out);
}

/** Bytes that are more than a head of CSV. */
const headBytes = 400;

const books = (home: string) =>
  inspect(path.join(home, 'ledger.db'), (db) => ({
    wrong: imbalances(db),
    rows: db
      .prepare(
        'SELECT status, count(*) AS calls, sum(credits_charged) AS credits FROM usage GROUP BY status ORDER BY status',
      )
      .all() as { status: string; calls: number; credits: number }[],
  }));

/** Lines with the random part of the batch's id taken out. */
const lines = (file: string) => readFileSync(file, 'utf8').replace(/batch_[0-9A-Z]{26}/g, 'batch_x');

/** Kills each batch at some of its moments, milliseconds after its first lines. */
export const describeKilledBatches = (some: (moments: readonly number[]) => readonly number[]) =>
  describe('a batch that is killed', () => {
    for (const { name, more, moments } of [
      { name: 'with a cache', more: { cache: true }, moments: [0, 5, 20, 60, 120] },
      { name: 'without a cache', more: { cache: false }, moments: [10, 90] },
      { name: 'as CSV', more: { cache: true, kind: 'csv' }, moments: [0, 15, 70] },
    ] as const) {
      test(`and resumed ends like an undisturbed one, with exact balances (${name})`, async () => {
        const input = path.join(folder, `inputs ${name}`);
        writeFileSync(input, inputsOf(800));
        const filesOf = (run: string) => ({
          ...{ input, output: path.join(folder, `${run} ${name}`) },
          home: path.join(folder, `${run} home ${name}`),
        });
        const [calm, rough] = [filesOf('calm'), filesOf('rough')];
        const undisturbed = await finish(start(calm, 'begin', more));
        assert.equal(undisturbed.finished, true);

        for (const moment of some(moments)) {
          await killOnceWritten(start(rough, 'resume', more), rough.output, moment, headBytes);
          assert.deepEqual(books(rough.home).wrong, []);
        }
        const last = await finish(start(rough, 'resume', more));

        assert.equal(lines(rough.output), lines(calm.output));
        assert.deepEqual(last, undisturbed);
        const [actual, expected] = [books(rough.home), books(calm.home)];
        assert.deepEqual(actual, expected);
        assert.deepEqual(actual.wrong, []);
        assert.equal(actual.rows.find(({ status }) => status === 'ok')?.credits, undisturbed.totals.charged);
        assert.ok(actual.rows.every(({ status }) => status !== 'pending'));
      });
    }
  });
