import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { openCache } from '../../lib/cache/open-cache.js';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import { call, type Services } from '../../lib/call/call.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf } from '../../lib/samples.js';
import { routeSource } from '../../lib/web/routes.js';
import { stoppedClock as clock } from '../support/cases.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-replayed-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('each endpoint’s answer comes from the cache file byte for byte, requested with all others at the same time', async () => {
  const ledger = openLedger(path.join(folder, 'ledger.db'), { clock });
  const cache = openCache({ file: path.join(folder, 'answers.db'), memoryBytes: 0, clock });
  await ledger.grant({ id: 'g', account: 'a', credits: 1000, kind: 'pack', at: '2026-11-05T00:00:00.000Z' });
  const ask = async (endpoint: Endpoint, run: string) => {
    const cases = await casesOf(endpoint);
    const sample = cases.find(({ error }) => error === undefined);
    if (sample === undefined) throw new Error(`${endpoint.path} has no sample`);
    const services: Services = {
      ...{
        clock,
        ledger,
        cache,
        docsBase: 'https://docs.test',
        deadlineMs: 5000,
        flights: new SingleFlight(),
      },
      pages: async () => routeSource(sampleFiles(endpoint.path), sample.pages),
      sample: async () => assert.fail('a sample was asked for'),
      secret: async () => Buffer.from('a key of thirty-two bytes, or so'),
    };
    const caller = { requestId: `${run}:${endpoint.path}`, account: 'a' };
    return call(endpoint, { ...sample.params, sources: true }, services, caller);
  };
  const all = (run: string) => Promise.all(endpoints.map((endpoint) => ask(endpoint, run)));
  const [fetched, replayed] = [await all('first'), await all('again')];
  assert.deepEqual(
    fetched.map(({ source }) => source),
    endpoints.map(() => 'platform'),
  );
  for (const [index, { source, json, sources, prints, meta }] of replayed.entries()) {
    const { path: name } = endpoints[index] as Endpoint;
    const first = fetched[index];
    assert.equal(source, 'cache', name);
    assert.equal(json, first?.json, name);
    assert.equal(sources, first?.sources, name);
    assert.deepEqual(prints, first?.prints, name);
    assert.equal(meta.next_cursor, first?.meta.next_cursor, name);
  }
  await cache.close();
  await ledger.close();
});
