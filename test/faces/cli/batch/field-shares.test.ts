import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { createExtractor } from '../../../../lib/extractor.js';
import { dayMs, systemClock } from '../../../../lib/runtime/clock.js';
import { sampleDataOf } from '../../../../lib/samples.js';
import { openStore } from '../../../../src/compose/open-store.js';
import type { CommandExtractor } from '../../../../src/faces/cli/context.js';
import { noOutcomes } from '../../../../src/service/health/call-outcome.js';
import { argv, assertExit, extract, testHome } from '../../../support/cli.js';
import { anAnswer } from '../../../support/invented-rows.js';
import { loopback } from '../../../support/loopback.js';

const endpoint: Endpoint = endpoints.find(({ path }) => path === 'maps/place') ?? assert.fail();
const place = (await sampleDataOf(endpoint)) as Readonly<Record<string, unknown>>;
const dayBefore = (days: number) => new Date(systemClock.now() - days * dayMs).toISOString().slice(0, 10);
const tooFew = /^phone was filled in 13% of 400 answers; usually 61%\.$/m;

const stdin = '{"place_id":"ChIJLU7jZClu5kcR4PcOOO6p3I0"}\n'.repeat(400);

/** Runs a batch over four hundred answers, one in so many of which holds a phone. */
function run(every: number, over: Partial<CommandExtractor> = {}) {
  let calls = 0;
  const answer = async () => {
    calls += 1;
    const phone = calls % every === 0 ? '030' : null;
    return anAnswer({ ...place, phone }, { meta: { credits_charged: 3 } });
  };
  return extract(argv`batch maps/place`, { stdin, extractor: { ...over, answer } });
}

/** Works on the health store of the data directory. */
async function withStore<T>(
  work: (store: Awaited<ReturnType<typeof openStore>>['health']) => Promise<T>,
): Promise<T> {
  const { ledger, health } = await openStore(testHome(), systemClock, 0);
  try {
    return await work(health);
  } finally {
    await ledger.close();
  }
}

describe('the end of a batch', () => {
  test('reports no fields until there is a usual share, and adds its answers to it', async () => {
    assert.doesNotMatch(assertExit(await run(2), 0).err, /usually/);
    const [day] = (await withStore((store) => store.load(dayBefore(0)))).days;
    assert.deepEqual([day?.answers, day?.filled.phone, day?.outcomes.answered], [400, 200, 400]);
  });

  test('reports a field that is missing more often than usual', async () => {
    const minutes = { ok: 0, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 0 };
    const days = Array.from({ length: 20 }, (_, index) => ({
      ...{ endpoint: 'maps/place', day: dayBefore(index + 1), minutes },
      ...{ answers: 100, filled: { phone: 61 }, outcomes: { ...noOutcomes(), answered: 100 } },
    }));
    await withStore((store) => store.add(days, []));
    assertExit(await run(8), 0, tooFew);
    assert.doesNotMatch((await run(2)).err, /phone was filled/);
  });

  test('compares with a server’s published shares if a server answers', async (t) => {
    const server = await loopback(t, (_, response) => {
      const fields = [{ field: 'phone', usual_share: 0.61 }];
      const data = { endpoints: [{ endpoint: 'maps/place', fields }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
    const { config } = createExtractor({ home: testHome() });
    assertExit(await run(8, { config: { ...config, baseUrl: `${server.origin}/v1` } }), 0, tooFew);
    assert.deepEqual(server.requests, ['GET /status.json']);
    assertExit(await run(8, { config: { ...config, baseUrl: 'http://127.0.0.1:9/v1' } }), 0);
  });
});
