import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storeKinds } from '../../../support/stores.js';
import { hosted } from '../hosted.js';

const minute = 60_000;
const day = 24 * 60 * minute;

for (const kind of storeKinds)
  describe(`sessions, ${kind.name}`, { skip: kind.skip }, () => {
    test('last thirty days from last use', async () => {
      const { signIn, clock, enter } = await hosted(kind);
      const { secret } = await enter();
      for (let time = 0; time < 3; time += 1) {
        await clock.advance(30 * day - 1);
        assert.ok(await signIn.findSession(secret));
      }
      await clock.advance(30 * day);
      assert.equal(await signIn.findSession(secret), null);
    });

    test('record their use once a minute', async () => {
      const { signIn, clock, state, enter } = await hosted(kind);
      const { secret, session } = await enter();
      const writtenRows = async () => {
        const [row] = await state.rows<{ last_used_at: number }>('SELECT last_used_at FROM sessions');
        return row?.last_used_at;
      };
      const rowsBefore = await writtenRows();
      await clock.advance(minute - 1);
      assert.equal((await signIn.findSession(secret))?.last_used_at, session.last_used_at);
      assert.equal(await writtenRows(), rowsBefore);
      await clock.advance(1);
      assert.equal((await signIn.findSession(secret))?.last_used_at, new Date(clock.now()).toISOString());
      assert.equal(await writtenRows(), clock.now());
    });

    test('are listed, the last used first, and ended one by one', async () => {
      const { signIn, clock, enter } = await hosted(kind);
      const first = await enter();
      await clock.advance(minute);
      const second = await enter();
      const other = await enter('bob@example.com');
      const { account } = first.session;
      const ids = async () => (await signIn.listSessions(account)).map(({ id }) => id);
      assert.deepEqual(await ids(), [second.session.id, first.session.id]);
      await clock.advance(minute);
      await signIn.findSession(first.secret);
      assert.deepEqual(await ids(), [first.session.id, second.session.id]);
      assert.equal(await signIn.endSession(account, other.session.id), false);
      assert.equal(await signIn.endSession(account, 'ses_none'), false);
      assert.equal(await signIn.endSession(account, first.session.id), true);
      assert.equal(await signIn.endSession(account, first.session.id), false);
      assert.equal(await signIn.findSession(first.secret), null);
      assert.ok(await signIn.findSession(second.secret));
      assert.ok(await signIn.findSession(other.secret));
    });

    test('end here immediately if another process ends them', async () => {
      const here = await hosted(kind);
      const elsewhere = await hosted(kind, { state: here.state, clock: here.clock });
      const { session, secret } = await here.enter();
      assert.ok(await here.signIn.findSession(secret));
      assert.ok(await elsewhere.signIn.findSession(secret));
      await elsewhere.signIn.endSession(session.account, session.id);
      assert.equal(await here.signIn.findSession(secret), null);
    });

    test('are deleted after thirty idle days, with the next sign-in', async () => {
      const { signIn, clock, count, enter } = await hosted(kind);
      const { session } = await enter();
      await clock.advance(30 * day);
      assert.deepEqual(await signIn.listSessions(session.account), []);
      await enter('bob@example.com');
      assert.equal(await count('sessions'), 1);
    });

    test('are not opened by an invalid secret', async () => {
      const { signIn, enter } = await hosted(kind);
      const { secret, session } = await enter();
      const wrong = [
        '',
        'x',
        session.id,
        secret.slice(1),
        `${secret}=`,
        secret.toLowerCase(),
        'A'.repeat(43),
      ];
      for (const one of wrong) assert.equal(await signIn.findSession(one), null, one);
    });
  });
