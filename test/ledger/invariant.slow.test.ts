import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { FakeClock } from '../support/fake-clock.js';
import { pay } from '../support/pay.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertSound, dearestMonth, pendingIds } from './books.js';
import { at } from './ledger-port.js';

const folder = temporaryFolder();
let files = 0;

const account = fc.constantFrom('acct_a', 'acct_b', 'local');
// Few ids, so that they meet again as duplicates.
const id = fc.integer({ min: 0, max: 25 }).map((n) => `r${n}`);
const credits = fc.integer({ min: 0, max: 40 });
/** Few calls fit into the month of the first key; the second has no limit. */
const limited = { id: 'key_1', name: 'limited', monthlyCredits: 90 };
const key = fc.constantFrom(undefined, limited, limited, { id: 'key_2', name: 'free' });
const dayMs = 24 * 3_600_000;
const step = fc.oneof(
  fc.record({ do: fc.constant('charge' as const), id, account, credits, key, needsPack: fc.boolean() }),
  fc.record({
    do: fc.constant('pay' as const),
    ...{ id, account, credits, key, needsPack: fc.boolean(), resumes: fc.boolean() },
  }),
  fc.record({ do: fc.constant('settle' as const), id, ok: fc.boolean() }),
  fc.record({ do: fc.constant('undo' as const), id }),
  fc.record({ do: fc.constant('grant' as const), id, account, credits, pack: fc.boolean() }),
  fc.record({ do: fc.constant('balance' as const), account }),
  fc.record({ do: fc.constant('reopen' as const) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act(ledger: Ledger, one: Exclude<Step, { do: 'reopen' | 'wait' }>): Promise<unknown> {
  switch (one.do) {
    case 'charge':
    case 'pay': {
      const { do: how, ...event } = one;
      const charge = { ...event, endpoint: 'maps/place', at: Date.parse(at) };
      return how === 'pay' ? pay(ledger, charge) : ledger.charge(charge);
    }
    case 'undo':
      return ledger.refund(one.id);
    case 'settle':
      return ledger.settle(
        one.id,
        one.ok ? { status: 'ok', cached: false } : { status: 'failed', code: 'platform_timeout' },
      );
    case 'grant':
      return ledger.grant({
        id: one.id,
        account: one.account,
        credits: one.credits,
        kind: one.pack ? 'pack' : 'trial',
        at,
      });
    case 'balance':
      return ledger.balance(one.account).then(({ credits }) => assert.ok(credits >= 0));
  }
}

describe('whatever happens in whatever order', () => {
  test('credits granted minus credits charged is the balance, and no call is paid or paid back twice, no key passes its limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 6 }), async (turns) => {
        const file = path.join(folder, `${++files}.db`);
        const clock = new FakeClock();
        // Two ledgers over one file, as in two processes; the steps of a turn run concurrently.
        const ledgers = [openLedger(file, { clock }), openLedger(file, { clock })];
        const charged = new Map<string, number>();
        const ended = new Set<string>();
        await ledgers[0]?.balance('local');
        for (const turn of turns) {
          await Promise.all(
            turn.map(async (one, index) => {
              if (one.do === 'wait') return clock.advance(one.days * dayMs);
              const side = index % 2;
              if (one.do === 'reopen') {
                const old = ledgers[side];
                ledgers[side] = openLedger(file, { clock });
                await old?.close();
                return;
              }
              try {
                await act(ledgers[side] as Ledger, one);
              } catch (error) {
                assert.ok(error instanceof ExtractError && !/closed/.test(error.message), String(error));
                return;
              }
              if (one.do === 'charge' || one.do === 'pay') {
                assert.ok(!charged.has(one.id) || (one.do === 'pay' && one.resumes), 'charged twice');
                charged.set(one.id, one.credits);
              }
              if (one.do === 'pay' || one.do === 'settle' || one.do === 'undo') ended.add(one.id);
            }),
          );
          assertSound(file);
          assert.ok(dearestMonth(file, limited.id) <= limited.monthlyCredits, 'the limit is passed');
        }
        const pending = pendingIds(file);
        assert.deepEqual(pending, [...charged.keys()].filter((one) => !ended.has(one)).sort());
        await Promise.all(ledgers.map((ledger) => ledger.close()));
        assertSound(file);
      }),
      { numRuns: 100, seed: 20260101 },
    );
  });
});
