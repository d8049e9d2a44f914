import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storeKinds } from '../../../support/stores.js';
import { hosted } from '../hosted.js';

const hour = 3_600_000;

for (const kind of storeKinds)
  describe(`the way to the admin page, ${kind.name}`, { skip: kind.skip }, () => {
    const harness = async () => {
      const { adminSignIn, clock } = await hosted(kind);
      return { clock, admin: adminSignIn };
    };

    test('is a link that works once, however many open it', async () => {
      const { admin } = await harness();
      const token = await admin.createLink();
      const all = await Promise.all(Array.from({ length: 20 }, () => admin.confirm(token)));
      const [secret, ...more] = all.filter((one) => one !== null);
      assert.ok(secret);
      assert.deepEqual(more, []);
      assert.equal(await admin.isOpen(secret), true);
      assert.equal(await admin.confirm(token), null);
    });

    test('is good for an hour, and until the next link is made', async () => {
      const { admin, clock } = await harness();
      const old = await admin.createLink();
      const token = await admin.createLink();
      assert.equal(await admin.confirm(old), null);
      await clock.advance(hour);
      assert.equal(await admin.confirm(token), null);
      const fresh = await admin.createLink();
      await clock.advance(hour - 1);
      assert.ok(await admin.confirm(fresh));
    });

    test('opens a session of twelve hours, whatever its use', async () => {
      const { admin, clock } = await harness();
      const secret = (await admin.confirm(await admin.createLink())) ?? '';
      await clock.advance(12 * hour - 1);
      assert.equal(await admin.isOpen(secret), true);
      await clock.advance(1);
      assert.equal(await admin.isOpen(secret), false);
    });

    test('ends when the operator signs out, and no other session with it', async () => {
      const { admin } = await harness();
      const [one, other] = [
        (await admin.confirm(await admin.createLink())) ?? '',
        (await admin.confirm(await admin.createLink())) ?? '',
      ];
      await admin.endSession(one);
      await admin.endSession('x');
      assert.deepEqual([await admin.isOpen(one), await admin.isOpen(other)], [false, true]);
    });

    test('is not opened by another token', async () => {
      const { admin } = await harness();
      const token = await admin.createLink();
      for (const one of ['', 'x', `${token}x`, 'A'.repeat(43)]) {
        assert.equal(await admin.confirm(one), null);
        assert.equal(await admin.isOpen(one), false);
      }
      assert.equal(await admin.isOpen(token), false);
      assert.ok(await admin.confirm(token));
    });
  });
