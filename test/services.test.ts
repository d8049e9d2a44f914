import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Keyv } from 'keyv';
import type { AgingAnswer } from '../lib/cache/cache-entry.js';
import { readConfig } from '../lib/config.js';
import type { Endpoint } from '../lib/endpoint.js';
import { ExtractError } from '../lib/errors/extract-error.js';
import { createExtractor } from '../lib/extractor.js';
import { systemClock } from '../lib/runtime/clock.js';
import { openServices } from '../lib/services.js';
import { paceInFile } from '../lib/web/sqlite/pace-file.js';
import { secretValues } from '../src/config/settings.js';
import { inspect } from './ledger/books.js';
import { harbourOne } from './support/invented-rows.js';
import { skipWithoutRedis, startRedis } from './support/redis.js';
import { temporaryFolder } from './support/temporary-folder.js';

const answer = { data: '1', fetchedAt: '2026-11-05T12:00:00.000Z', next: null, prints: [] };

test('services open on use, can be closed repeatedly, and reopen when used again', async () => {
  const services = openServices(readConfig({ home: temporaryFolder() }, {}));
  await services.close();
  for (const _ of ['first', 'again']) {
    assert.equal((await services.ledger.balance('local')).credits, 50_000);
    await services.cache.set('key', answer, 100);
    assert.deepEqual(await services.cache.get('key'), answer);
    await services.close();
    assert.deepEqual(await services.cache.get('key'), answer);
    await Promise.all([services.close(), services.close()]);
  }
});

test('a demo call makes no ledger, and shows the balance of the one that is there', async () => {
  const home = temporaryFolder();
  const extractor = createExtractor({ home });
  const demo = async () => (await extractor.getShortvideoProfile({ username: 'any', demo: true })).meta;
  assert.equal((await demo()).credits_remaining, 50_000);
  assert.deepEqual(readdirSync(home), []);
  const ledger = await extractor.ledger();
  await ledger.grant({ id: 'g', account: 'local', credits: 7, kind: 'pack', at: answer.fetchedAt });
  assert.equal((await demo()).credits_remaining, 50_007);
  await extractor.close();
});

test('a provided ledger is closed with the rest', async () => {
  const home = temporaryFolder();
  const { ledger } = openServices(readConfig({ home }, {}));
  const services = openServices(readConfig({ home }, {}), { ledger });
  await services.ledger.grant({ id: 'g', account: 'ann', credits: 7, kind: 'pack', at: answer.fetchedAt });
  assert.equal((await ledger.balance('ann')).credits, 7);
  await services.close();
  await assert.rejects(ledger.balance('local'), { code: 'internal_error' });
});

test('what servers of a database share takes the place of the files, and stays open', async () => {
  const home = temporaryFolder();
  const clock = systemClock;
  const closed: string[] = [];
  const entries = new Map<string, unknown>();
  const paceStore = paceInFile(temporaryFolder(), clock);
  const services = openServices(readConfig({ home }, {}), {
    shared: {
      paceStore,
      cacheTier: () => {
        const tier = new Keyv<AgingAnswer>({ store: entries });
        tier.on('disconnect', () => closed.push('cache'));
        return tier;
      },
      secret: async () => Buffer.alloc(32, 9),
      leases: { take: async () => true, release: async () => {}, close: async () => {} },
    },
  });
  assert.deepEqual(await services.secret(), Buffer.alloc(32, 9));
  await services.cache.set('key', answer, 100);
  assert.equal(entries.size, 1);
  await services.pages();
  await services.close();
  assert.deepEqual(closed, ['cache']);
  assert.deepEqual(await paceStore.listPlatforms(), []);
  await paceStore.close();
  assert.deepEqual(readdirSync(home), []);
});

test('the answers of a Redis are found by another process, and nothing is kept on the disk', {
  skip: skipWithoutRedis,
}, async () => {
  const redis = await startRedis();
  const home = temporaryFolder();
  const open = () => openServices(readConfig({ home }, { EXTRACT_CACHE_URL: redis.url }));
  const [one, other] = [open(), open()];
  await one.cache.set('key', answer, 100);
  assert.deepEqual(await other.cache.get('key'), answer);
  await Promise.all([one.close(), other.close()]);
  assert.deepEqual(readdirSync(home), []);
  await redis.stop();
});

test('an address of no Redis is refused, without its secret', () => {
  for (const url of ['http://me:hidden@example.com', 'redis//me:hidden@example.com']) {
    assert.throws(
      () => readConfig({}, { EXTRACT_CACHE_URL: url }),
      ({ code, message }: { code?: string; message: string }) =>
        code === 'invalid_parameter' && message.includes('EXTRACT_CACHE_URL') && !message.includes('hidden'),
    );
  }
  const env = { EXTRACT_CACHE_URL: 'redis://me:hidden%20one@example.com' };
  assert.ok(secretValues(env).includes('hidden one'));
});

test('an extractor that is closed lets a call under way end first, and its books with it', async () => {
  const home = temporaryFolder();
  const extractor = createExtractor({ home });
  let [isAsked, give] = [false, () => {}];
  const endpoint: Endpoint = {
    ...harbourOne,
    async read() {
      isAsked = true;
      await new Promise<void>((resolve) => {
        give = resolve;
      });
      throw new ExtractError('place_not_found');
    },
  };
  const call = assert.rejects(extractor.run(endpoint, { id: 'a' }), { code: 'place_not_found' });
  while (!isAsked) await setImmediate();
  let isClosed = false;
  const closing = extractor.close().then(() => {
    isClosed = true;
  });
  await setImmediate();
  assert.equal(isClosed, false);
  give();
  await Promise.all([call, closing]);
  const rows = inspect(path.join(home, 'ledger.db'), (db) =>
    db.prepare('SELECT status, error_code, credits_charged FROM usage').all(),
  );
  assert.deepEqual(rows, [{ status: 'failed', error_code: 'place_not_found', credits_charged: 0 }]);
});

test('a call without parameters, or with none that are an object, says what is missing', async () => {
  const extractor = createExtractor({ home: temporaryFolder() });
  const ask = extractor.getShortvideoProfile as unknown as (params?: unknown) => Promise<unknown>;
  await assert.rejects(ask(), { name: 'ExtractError', code: 'missing_parameter' });
  await assert.rejects(ask(null), { code: 'missing_parameter' });
  for (const none of ['nasa', 7, ['nasa']]) await assert.rejects(ask(none), { code: 'invalid_parameter' });
  await extractor.close();
});
