import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readConfig } from '../lib/config.js';
import { createExtractor } from '../lib/extractor.js';
import { openServices } from '../lib/services.js';
import { temporaryFolder } from './support/temporary-folder.js';

const answer = { data: '1', fetchedAt: '2026-11-05T12:00:00.000Z', next: null, prints: [] };

test('services open what is used, close it as often as one likes, and open it anew when it is used again', async () => {
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

test('a ledger that was given is closed with the rest', async () => {
  const home = temporaryFolder();
  const { ledger } = openServices(readConfig({ home }, {}));
  const services = openServices(readConfig({ home }, {}), { ledger });
  await services.ledger.grant({ id: 'g', account: 'ann', credits: 7, kind: 'pack', at: answer.fetchedAt });
  assert.equal((await ledger.balance('ann')).credits, 7);
  await services.close();
  await assert.rejects(ledger.balance('local'), { code: 'internal_error' });
});

/** A data directory whose cache file is a directory. */
function spoiltHome(): string {
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'answers.db'));
  return home;
}

test('of a cache that cannot be used Node.js warns, once', async (t) => {
  const warnings: (Error & { readonly code?: string })[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on('warning', hear);
  t.after(() => process.off('warning', hear));
  const services = openServices(readConfig({ home: spoiltHome() }, {}));
  for (const _ of ['first', 'again']) await services.cache.set('key', answer, 100);
  await services.close();
  await setImmediate();
  assert.deepEqual(
    warnings.map(({ name, code }) => [name, code]),
    [['ExtractWarning', 'EXTRACT_CACHE_UNUSABLE']],
  );
  assert.match(warnings[0]?.message ?? '', /cache file .* cannot be opened for writing/);
});

test('an extractor tells its own listener instead', async () => {
  const warnings: Error[] = [];
  const extractor = createExtractor(
    { home: spoiltHome() },
    { onWarning: (warning) => warnings.push(warning) },
  );
  for (const _ of ['first', 'again']) await (await extractor.cache()).set('key', answer, 100);
  await extractor.close();
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]?.message ?? '', /cache file/);
});
