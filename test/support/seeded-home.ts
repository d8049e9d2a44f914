import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { openCache } from '../../lib/cache/open-cache.js';
import { parseCallRequest } from '../../lib/call/call-request.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { casesOf } from '../../lib/samples.js';
import { openStore } from '../../src/compose/open-store.js';
import { expectedAnswers } from './cases.js';
import { aCoverage } from './coverage.js';
import { queryOf } from './server.js';

export interface SeededHome {
  readonly home: string;
  /** Secret of a key, and its account. */
  readonly secret: string;
  readonly account: string;
  readonly keyId: string;
  /** Path and query of a call whose answer is in the cache. */
  readonly kept: string;
  /** Path and query of a call whose answer is not. */
  readonly missing: string;
}

/**
 * A data directory with an account, a key, and one answer in the cache. It is used by servers in separate processes.
 */
export async function seededHome(credits = 1_000_000): Promise<SeededHome> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'extract-seeded-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const { ledger, accounts } = await openStore(home, systemClock, 0);
  const { id: account } = await accounts.create({ email: 'ann@example.com', verified: true, credits });
  const { secret, key } = await accounts.createKey({ account, name: 'one', platforms: null });
  await ledger.close();
  const endpoint = endpoints.find((one) => one.path === 'shortvideo/profile') as Endpoint;
  const [sample] = await casesOf(endpoint);
  if (sample === undefined) throw new Error('no sample');
  const cache = openCache({ file: path.join(home, 'answers.db'), memoryBytes: 0 });
  await cache.set(
    parseCallRequest(endpoint, sample.params).firstKey,
    {
      data: JSON.stringify(expectedAnswers(endpoint, sample)[0]),
      fetchedAt: new Date().toISOString(),
      next: null,
      prints: [],
      coverage: aCoverage(),
    },
    3600,
  );
  await cache.close();
  const base = `/v1/${endpoint.path}`;
  return {
    home,
    secret,
    account,
    keyId: key.id,
    kept: `${base}?${await queryOf(endpoint)}`,
    missing: `${base}?username=nobody.in.particular`,
  };
}
