import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { networkOf } from '../../../../src/service/accounts/sign-in/network-of.js';
import { type StoreKind, storeKinds } from '../../../support/stores.js';
import { email, type HostedOptions, hosted } from '../hosted.js';

const minute = 60_000;

/** A hosted server that is asked for mails. */
async function asked(kind: StoreKind, options: HostedOptions = {}) {
  const here = await hosted(kind, options);
  const ask = (address: string, to = email) => here.signIn.request({ email: to, address, next: '/' });
  return { ...here, ask, mails: here.mailer.mails };
}

async function waitOf(asking: Promise<unknown>): Promise<number | undefined> {
  const error = await asking.then(
    () => assert.fail('it was allowed'),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ExtractError && error.code === 'rate_limited', String(error));
  return error.retryAfter;
}

for (const kind of storeKinds)
  describe(`sign-in mails, ${kind.name}`, { skip: kind.skip }, () => {
    test('are five an hour for an address from one network, in any hour, whether it has an account or not', async () => {
      for (const hasAccount of [true, false]) {
        const { ask, create, clock, mails } = await asked(kind);
        if (hasAccount) await create();
        for (let mail = 0; mail < 5; mail += 1) {
          await ask('203.0.113.9', mail % 2 === 0 ? email : 'ANN@example.com');
          await clock.advance(10 * minute);
        }
        assert.equal(await waitOf(ask('203.0.113.9')), 600);
        await clock.advance(10 * minute - 1);
        assert.equal(await waitOf(ask('203.0.113.9')), 1);
        await ask('203.0.113.9', 'bob@example.com');
        await clock.advance(1);
        await ask('203.0.113.9');
        assert.equal(await waitOf(ask('203.0.113.9')), 600);
        assert.equal(mails.length, 7);
      }
    });

    test('are few an hour for an address from many networks, which is never left without one that works', async () => {
      const { ask, signIn, mailer, mails, clock } = await asked(kind);
      const strangers = async () => {
        for (let stranger = 0; stranger < 40; stranger += 1)
          await ask(`198.51.100.${stranger}`).catch(() => undefined);
      };
      await strangers();
      assert.equal(mails.length, 6);
      assert.equal(await waitOf(ask('203.0.113.9')), 900);
      assert.ok(await signIn.findAddress(mailer.token()), 'the newest link works until then');
      await clock.advance(15 * minute);
      await ask('203.0.113.9');
      await strangers();
      assert.equal(mails.length, 7);
      await clock.advance(45 * minute);
      await strangers();
      assert.ok(mails.length <= 12, `${mails.length} mails`);
    });

    test('are as few when many networks ask at the same moment', async () => {
      const { ask, mails, clock } = await asked(kind);
      for (const count of [6, 7]) {
        await Promise.allSettled(Array.from({ length: 40 }, (_, stranger) => ask(`198.51.100.${stranger}`)));
        assert.equal(mails.length, count);
        await clock.advance(15 * minute);
      }
    });

    test('are twenty an hour for a network address', async () => {
      const { ask, mails } = await asked(kind);
      for (let mail = 0; mail < 20; mail += 1) await ask(`2001:db8::${mail}`, `a${mail}@example.com`);
      assert.equal(await waitOf(ask('2001:db8:0:0:ffff::1', 'b@example.com')), 3600);
      await ask('2001:db8:0:1::1', 'b@example.com');
      assert.equal(mails.length, 21);
    });

    test('apply to simultaneous requests, also of two processes', async () => {
      const one = await asked(kind);
      const two = await asked(kind, { state: one.state, clock: one.clock });
      const results = await Promise.allSettled(
        Array.from({ length: 30 }, (_, number) => (number % 2 === 0 ? one : two).ask('203.0.113.9')),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
      assert.equal(one.mails.length + two.mails.length, 5);
    });

    test('do not last until a clock that was set back has caught up', async () => {
      const { ask, clock } = await asked(kind);
      for (let mail = 0; mail < 5; mail += 1) await ask('203.0.113.7');
      clock.set(clock.now() - 1000);
      assert.equal(await waitOf(ask('203.0.113.7')), 3601);
      clock.set(clock.now() - 24 * 60 * minute);
      for (let mail = 0; mail < 5; mail += 1) await ask('203.0.113.7');
      assert.equal(await waitOf(ask('203.0.113.7')), 3600);
    });
  });

describe('the network of an address', () => {
  const cases: [string, string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:ffff::', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
  ];
  for (const [address, network] of cases) {
    test(`of ${address} is ${network}`, () => assert.equal(networkOf(address), network));
  }
});
