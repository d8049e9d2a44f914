import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { openFault } from '../../src/files/batch-files/output-fault.js';
import { mountSmall, withoutSmallFileSystem } from '../faults/small-file-system.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { chargeOf } from './ledger-port.js';

const folder = temporaryFolder();

test('a ledger on a disk that is full from the start says so', {
  skip: withoutSmallFileSystem() ?? false,
}, async () => {
  const home = path.join(folder, 'small');
  mkdirSync(home);
  const disk = mountSmall(home, 2);
  after(() => disk.remove());
  const first = openLedger(path.join(home, 'ledger.db'));
  await first.pay(chargeOf('a'));
  await first.close();
  const empty = disk.fill();
  const ledger = openLedger(path.join(home, 'ledger.db'));
  await assert.rejects(ledger.pay(chargeOf('b')), { fault: 'full', message: /is full/ });
  await ledger.close();
  empty();
});

test('a full disk is not reported as a wrong parameter', () => {
  for (const code of ['EDQUOT', 'ENOSPC']) {
    const fault = openFault('all.ndjson', Object.assign(new Error(code), { code }));
    assert.equal(fault.code, 'internal_error');
    assert.match(fault.message, /all\.ndjson cannot be written: its disk is full; free some space/);
  }
});

test('a missing ledger next to job results is not replaced by a new one', async () => {
  for (const [name, results] of [
    ['gone-files', 'jobs/job_1.ndjson'],
    ['gone-rows', 'results.db'],
  ] as const) {
    const home = path.join(folder, name);
    mkdirSync(path.join(home, 'jobs'), { recursive: true });
    writeFileSync(path.join(home, results), '{}\n');
    const ledger = openLedger(path.join(home, 'ledger.db'));
    const refused = { fault: 'damaged', message: /is missing, but .* has results/ };
    await assert.rejects(ledger.balance('local'), refused);
    await ledger.close();
    assert.equal(existsSync(path.join(home, 'ledger.db')), false);
  }
});

test('an empty ledger next to job results is not treated as a new one', async () => {
  const home = path.join(folder, 'emptied');
  mkdirSync(path.join(home, 'jobs'), { recursive: true });
  writeFileSync(path.join(home, 'ledger.db'), '');
  const fresh = openLedger(path.join(home, 'ledger.db'));
  assert.equal((await fresh.balance('local')).credits, 50_000, 'one that is just being made is empty too');
  await fresh.close();
  const emptied = path.join(folder, 'emptied-with-results');
  mkdirSync(path.join(emptied, 'jobs'), { recursive: true });
  writeFileSync(path.join(emptied, 'ledger.db'), '');
  writeFileSync(path.join(emptied, 'jobs', 'job_1.ndjson'), '{}\n');
  const ledger = openLedger(path.join(emptied, 'ledger.db'));
  const refused = { fault: 'damaged', message: /is empty, but .*jobs has results/ };
  await assert.rejects(ledger.balance('local'), refused);
  await ledger.close();
});
