import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { site } from '../../lib/platforms/shortvideo/site.js';
import { CallAbort } from '../../lib/runtime/abort.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { PaceStore } from '../../lib/web/pace-store.js';
import type { Attempt } from '../../lib/web/page-source.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import { Throttle } from '../../lib/web/throttle.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { uncounted } from '../support/uncounted.js';

const throttleWith = (clock: Clock, paceStore?: PaceStore) =>
  new Throttle(site, {
    gap: (surface) => site.surfaces[surface as keyof typeof site.surfaces],
    cooldownMs: 60_000,
    clock,
    paceStore,
    counter: uncounted,
  });

const waitingPage: Attempt = {
  route: 'page',
  surface: 'page',
  outcome: 'platform_blocked',
  cause: 'The platform put its waiting-room challenge before the page.',
};

describe('the throttle of a platform', () => {
  test('a refusal stops what is queued behind it before the session that met it ends', async () => {
    const clock = new FakeClock();
    const throttle = throttleWith(clock);
    const [first, second] = [throttle.open('plain'), throttle.open('plain')];
    const signal = new CallAbort();
    const names: string[] = [];
    const ask = (session: typeof first, name: string) =>
      session.run(async () => names.push(name), signal, 'page');
    await ask(first, 'first');
    const queued = ask(second, 'second').catch((error: unknown) => error);
    await clock.untilSleeping(1);
    first.report(waitingPage);
    await clock.advance(3000);
    assert.match(String(await queued), /waiting-room challenge/);
    // Another route on the same surface may answer, so the session continues and its refusal counts once.
    await clock.passing(ask(first, 'first again'));
    first.end(undefined);
    assert.deepEqual(names, ['first', 'first again']);
    assert.equal(throttle.lane('page').cooldown.refusal()?.retryAfter, 54);
    assert.deepEqual(await throttle.refusedLately(), ['page']);
  });

  test('two processes of one home learn from each other, by surface and of the address', async (t) => {
    const clock = new FakeClock(Date.now());
    const home = temporaryFolder();
    const [one, other] = [0, 1].map(() => {
      const store = paceInFile(home, clock);
      t.after(() => store.close());
      return throttleWith(clock, store);
    }) as [Throttle, Throttle];
    const session = one.open('plain');
    session.report(waitingPage);
    session.end(undefined);
    await one.flush();
    assert.deepEqual(await other.refusedLately(), ['page']);
    const beside = other.open('plain');
    await assert.rejects(beside.check('page'), /waiting-room challenge/);
    await beside.check('embed');
    beside.report({ ...waitingPage, route: 'embed', surface: 'embed', scope: 'address' });
    beside.end(undefined);
    await other.flush();
    await clock.advance(5000);
    await assert.rejects(one.open('plain').check('api'), /gets the next request in 35\d\d s/);
    assert.throws(() => one.open('plain'), /shortvideo refused/);
  });
});
