import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../lib/config.js';
import { openServices } from '../lib/services.js';
import { temporaryFolder } from './support/temporary-folder.js';

test('services open what is used, close it as often as one likes, and open it anew when it is used again', async () => {
  const services = openServices(readConfig({ home: temporaryFolder() }, {}));
  await services.close();
  const answer = { data: '1', fetchedAt: '2026-11-05T12:00:00.000Z', next: null, prints: [] };
  for (const _ of ['first', 'again']) {
    assert.equal((await services.ledger.balance('local')).credits, 50_000);
    await services.cache.set('key', answer, 100);
    assert.deepEqual(await services.cache.get('key'), answer);
    await services.close();
    assert.deepEqual(await services.cache.get('key'), answer);
    await Promise.all([services.close(), services.close()]);
  }
});

test('a ledger that was given is closed with the rest', async () => {
  const home = temporaryFolder();
  const { ledger } = openServices(readConfig({ home }, {}));
  const services = openServices(readConfig({ home }, {}), { ledger });
  assert.equal(services.ledger, ledger);
  await services.close();
  await assert.rejects(ledger.balance('local'), { code: 'internal_error' });
});
