import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { imbalancesIn, wrongSumsIn } from '../../../lib/ledger/imbalance.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { serverOperator } from '../../../src/service/audit/audit-store.js';
import { makeTestDatabase } from '../../support/postgres.js';
import { startProgram } from '../../support/program-apart.js';

const calls = 40;

/** A data directory with an account that called. */
async function usedHome(folder: string): Promise<string> {
  const home = path.join(folder, 'used');
  const store = await openDirectory(home, systemClock, 250);
  const { accounts, ledger } = store;
  const { id: account } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 5_000 });
  const call = { account, endpoint: 'maps/place', credits: 3, needsPack: false, at: systemClock.now() };
  for (let at = 0; at < calls; at += 1) await ledger.pay({ ...call, id: `call_${at}` });
  await store.close();
  return home;
}

/** Kills as many imports, at moments from their beginning to their end, and repeats each with the same command. */
export async function killImports(folder: string, kills: number): Promise<void> {
  const home = await usedHome(folder);
  let took = 0;
  for (let kill = 0; kill <= kills; kill += 1) {
    const { config, drop } = await makeTestDatabase();
    const child = startProgram('compose/database-import/import-program.ts', { home, config });
    const output = child.stdout ?? assert.fail();
    await once(output, 'data');
    const began = performance.now();
    const ended = once(child, 'exit');
    if (kill === 0) await once(output, 'data');
    else await setTimeout((took * kill) / kills);
    took = Math.max(took, kill === 0 ? performance.now() - began : 0);
    child.kill('SIGKILL');
    await ended;
    const { signal } = new AbortController();
    await importDirectory({ home, config, operator: serverOperator, clock: systemClock, signal }).catch(
      // It was killed behind its commit.
      (error) => assert.match(error instanceof ExtractError ? error.message : String(error), /holds all of/),
    );
    const postgres = await Postgres.open(config, systemClock);
    await postgres.read(async (queries) => {
      assert.deepEqual(await queries.first('SELECT count(*) AS calls FROM usage'), { calls });
      assert.deepEqual([await imbalancesIn(queries), await wrongSumsIn(queries)], [[], []]);
    });
    await postgres.close();
    await drop();
  }
}
