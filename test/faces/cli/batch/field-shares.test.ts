import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { sampleDataOf } from '../../../../lib/samples.js';
import { openStore } from '../../../../src/compose/open-store.js';
import type { CommandExtractor } from '../../../../src/faces/cli/context.js';
import { noOutcomes } from '../../../../src/service/health/call-outcome.js';
import { argv, assertExit, extract, testHome } from '../../../support/cli.js';
import { harbourMeta } from '../../../support/invented-rows.js';
import { loopback } from '../../../support/loopback.js';

const endpoint: Endpoint = endpoints.find(({ path }) => path === 'maps/place') ?? assert.fail();
const place = (await sampleDataOf(endpoint)) as Readonly<Record<string, unknown>>;
const today = new Date(systemClock.now()).toISOString().slice(0, 10);

/** Answers of which every so-manieth holds a phone. */
function places(
  every: number,
  over: Partial<CommandExtractor> = {},
  source: 'platform' | 'cache' = 'platform',
) {
  let calls = 0;
  const extractor: Partial<CommandExtractor> = {
    ...over,
    async answer() {
      calls += 1;
      return {
        source,
        json: JSON.stringify({ ...place, phone: calls % every === 0 ? '030' : null }),
        meta: { ...harbourMeta, credits_charged: 3, cached: source === 'cache' },
      };
    },
  };
  return extractor;
}

const stdin = Array.from({ length: 400 }, () => '{"place_id":"ChIJLU7jZClu5kcR4PcOOO6p3I0"}').join('\n');
const run = (extractor: Partial<CommandExtractor>) => extract(argv`batch maps/place`, { stdin, extractor });

/** What the data directory knows: 2,000 answers before today, of which 61% held a phone. */
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
    const { err } = assertExit(await run(places(2)), 0);
    assert.doesNotMatch(err, /usually/);
    const [day] = (await withStore((store) => store.load(today))).days;
    assert.deepEqual([day?.answers, day?.filled.phone, day?.outcomes.answered], [400, 200, 400]);
  });

  test('reports a field that is missing more often than usual', async () => {
    await withStore((store) =>
      store.add(
        Array.from({ length: 20 }, (_, index) => ({
          endpoint: 'maps/place',
          day: new Date(systemClock.now() - (index + 1) * 86_400_000).toISOString().slice(0, 10),
          answers: 100,
          filled: { phone: 61 },
          outcomes: { ...noOutcomes(), answered: 100 },
          minutes: { ok: 0, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 0 },
        })),
        [],
      ),
    );
    assertExit(await run(places(8)), 0, /^phone was filled in 13% of 400 answers; usually 61%\.$/m);
    assert.doesNotMatch((await run(places(2))).err, /phone was filled/);
  });

  test('compares with a server’s published shares if a server answers', async (t) => {
    const server = await loopback(t, (_, response) => {
      const fields = [{ field: 'phone', usual_share: 0.61 }];
      const data = { endpoints: [{ endpoint: 'maps/place', fields }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
    const { createExtractor } = await import('../../../../lib/extractor.js');
    const { config } = createExtractor({ home: testHome() });
    const { err } = await run(places(8, { config: { ...config, baseUrl: `${server.origin}/v1` } }));
    assert.deepEqual(server.requests, ['GET /status.json']);
    assert.match(err, /^phone was filled in 13% of 400 answers; usually 61%\.$/m);
    assertExit(await run(places(8, { config: { ...config, baseUrl: 'http://127.0.0.1:9/v1' } })), 0);
  });
});
