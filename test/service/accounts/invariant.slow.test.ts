import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { openStore } from '../../../src/compose/open-store.js';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { PackPayments } from '../../../src/service/accounts/packs/pack-payments.js';
import type { PaymentProvider } from '../../../src/service/accounts/packs/payments.js';
import { stripeClient } from '../../../src/service/accounts/packs/stripe-client.js';
import { StripeEvents } from '../../../src/service/accounts/packs/stripe-events.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { FakeClock } from '../../support/fake-clock.js';
import { sessionEvent, signPayload } from '../../support/fake-stripe.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { pay } from '../../support/pay.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;
const webhookSecret = 'whsec_test';
const config = readHostingConfig({ EXTRACT_PACK_PRICES: '50000=49.00,250000=199.00' });
const client = stripeClient({ key: 'sk_test_1', proxy: {} });
const provider: PaymentProvider = {
  method: 'stripe',
  begin: async () => ({ kind: 'redirect', url: 'https://checkout.test/' }),
};

const email = fc.constantFrom('ann@example.com', 'bob@example.com');
const credits = fc.constantFrom(50_000, 250_000);
const step = fc.oneof(
  fc.record({ do: fc.constant('enter' as const), email }),
  fc.record({ do: fc.constant('delete' as const), email }),
  fc.record({ do: fc.constant('order' as const), email, credits }),
  fc.record({ do: fc.constant('confirm' as const), email, credits }),
  fc.record({ do: fc.constant('spend' as const), email, credits: fc.integer({ min: 0, max: 60_000 }) }),
  fc.record({
    do: fc.constant('event' as const),
    // Of the orders there are, which one.
    which: fc.nat({ max: 5 }),
    type: fc.constantFrom('completed', 'expired', 'async_payment_succeeded', 'async_payment_failed'),
    paymentStatus: fc.constantFrom('paid', 'unpaid'),
    amount: fc.constantFrom(4900, 4900, 19_900, 1),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One process at work on the data directory. */
async function side(home: string, clock: FakeClock) {
  const opened = await openStore(home, clock, 500);
  const { purchases } = opened;
  const mailer = new MemoryMailer();
  const onError = () => undefined;
  const events = new StripeEvents({
    ...{ client: async () => client, webhookSecret, purchases, clock },
    onError,
  });
  return {
    ...opened,
    mailer,
    signIn: opened.createSignIn({ mailer, clock, publicUrl: 'https://x.test', emailAllow: [] }),
    payments: new PackPayments({ purchases, config, provider, events }),
  };
}
type Side = Awaited<ReturnType<typeof side>>;

let calls = 0;

async function act(one: Step, at: Side, clock: FakeClock, orders: string[]): Promise<void> {
  const { accounts, payments, signIn, mailer, ledger } = at;
  if (one.do === 'event') {
    const { which: index, ...event } = one;
    const body = sessionEvent({
      ...event,
      purchase: orders[index % Math.max(1, orders.length)] ?? 'pur_none',
    });
    return payments.applyStripeEvent(Buffer.from(body), signPayload(body, webhookSecret, clock.now()));
  }
  if (one.do === 'enter') {
    await signIn.request({
      email: one.email,
      address: `203.0.113.${++calls % 200}`,
      next: '/',
    });
    const mail = mailer.mails.findLast(({ to }) => to === one.email);
    const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
    await signIn.confirm(token, '');
    return;
  }
  const account = await accounts.find(one.email);
  if (account === null) return;
  const { id } = account;
  switch (one.do) {
    case 'delete':
      return accounts.delete(id);
    case 'order': {
      const { purchase } = await payments.begin(id, one.credits, one.email);
      orders.push(purchase.id);
      return;
    }
    case 'confirm':
      await payments.confirmByHand(id, one.credits);
      return;
    case 'spend': {
      const charge = { id: `call_${++calls}`, account: id, endpoint: 'maps/place', needsPack: false };
      await pay(ledger, { ...charge, credits: one.credits, at: clock.now() });
    }
  }
}

/** Invariants that hold after every step. */
function assertHonest(file: string, trials: ReadonlyMap<string, number>): void {
  assertSound(file);
  inspect(file, (db) => {
    const paid = db
      .prepare(`SELECT id, account, credits FROM purchases WHERE status = 'paid' ORDER BY id`)
      .all();
    const granted = db
      .prepare(`SELECT id, account, credits FROM grants WHERE id LIKE 'pur%' ORDER BY id`)
      .all();
    assert.deepEqual(granted, paid);
  });
  for (const [address, count] of trials) assert.ok(count <= 1, `${count} trials for ${address}`);
}

describe('whatever people, Stripe and the operator do in whatever order', () => {
  test('the ledger adds up, each purchase is granted once, and each address has one trial', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 8 }), async (turns) => {
        const home = path.join(root, String(++homes));
        const file = path.join(home, 'ledger.db');
        const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
        const sides = [await side(home, clock), await side(home, clock)];
        const orders: string[] = [];
        const owners = new Map<string, string>([]);
        for (const turn of turns) {
          await Promise.all(
            turn.map(async (one, index) => {
              try {
                await act(one, sides[index % 2] as Side, clock, orders);
              } catch (error) {
                // Refusals are part of life; faults are not.
                assert.ok(error instanceof ExtractError && error.code !== 'internal_error', String(error));
              }
            }),
          );
          for (const { id, email: address } of (await sides[0]?.accounts.list()) ?? [])
            owners.set(id, address);
          const trials = new Map<string, number>();
          for (const account of inspect(file, (db) =>
            db.prepare<[], string>(`SELECT account FROM grants WHERE kind = 'trial'`).pluck().all(),
          )) {
            const address = owners.get(account) ?? 'gone within a turn';
            trials.set(address, (trials.get(address) ?? 0) + 1);
          }
          // An account created and deleted within one turn is not listed, so two trials are possible.
          const all = [...trials.values()].reduce((sum, count) => sum + count, 0);
          assert.ok(all <= 2, `${all} trials for two addresses`);
          trials.delete('gone within a turn');
          assertHonest(file, trials);
          await clock.advance(3_600_000);
        }
        await Promise.all(sides.map(({ ledger }) => ledger.close()));
      }),
      { numRuns: 60, seed: 20260601 },
    );
  });
});
