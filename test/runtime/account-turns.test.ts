import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountTurns } from '../../lib/runtime/account-turns.js';
import { refusal } from '../ledger/ledger-port.js';

test('the work of an account follows at once, however it ended, holds up no other, and what waits is bounded', async () => {
  const turns = new AccountTurns(1, 'Wait.');
  const begun: (() => void)[] = [];
  const work = (account: string, fault?: Error) =>
    turns.run(account, async () => {
      await new Promise<void>((resolve) => begun.push(resolve));
      if (fault !== undefined) throw fault;
    });
  const first = work('one', new Error('It fails.'));
  const second = work('one');
  await assert.rejects(work('one'), refusal('rate_limited'));
  const other = work('two');
  await Promise.resolve();
  const both = begun.splice(0);
  assert.equal(both.length, 2);
  for (const end of both) end();
  await assert.rejects(first, /It fails/);
  await other;
  while (begun.length === 0) await Promise.resolve();
  begun.shift()?.();
  await second;
});
