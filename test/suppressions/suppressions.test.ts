import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSubject, subjectText } from '../../lib/suppressions/subject.js';
import { SuppressionStore } from '../../lib/suppressions/suppression-store.js';
import { suppressionsSchema } from '../../lib/suppressions/suppressions-schema.js';
import { WatchedSuppressions } from '../../lib/suppressions/watched-suppressions.js';
import { databaseKinds } from '../support/databases.js';
import { FakeClock } from '../support/fake-clock.js';

const [baker, miller] = [parseSubject('tiktok:@baker'), parseSubject('linkedin:in/miller')];

for (const { name, skip, make } of databaseKinds) {
  describe(`suppressed subjects in ${name}`, { skip }, () => {
    /** The list, as one process and as another one has it. */
    async function open() {
      const clock = new FakeClock();
      const database = await make(suppressionsSchema);
      const list = async () => new SuppressionStore(await database(), clock);
      return { here: await list(), there: await list(), clock };
    }

    test('are added and removed once, and listed by platform', async () => {
      const { here, there } = await open();
      assert.equal(await here.mark(), null);
      assert.deepEqual(await here.list(), []);
      assert.equal(await here.add(baker), true);
      assert.equal(await there.add(baker), false);
      assert.equal(await here.add(miller), true);
      assert.deepEqual((await there.list()).map(subjectText), ['pronetwork:in/miller', 'shortvideo:@baker']);
      assert.equal(await there.remove(baker), true);
      assert.equal(await here.remove(baker), false);
      assert.deepEqual((await here.list()).map(subjectText), ['pronetwork:in/miller']);
    });

    test('have another mark after each change, also within one millisecond', async () => {
      const { here, clock } = await open();
      const marks = [await here.mark()];
      const change = async (changing: Promise<boolean>) => {
        assert.equal(await changing, true);
        marks.push(await here.mark());
      };
      await change(here.add(baker));
      await change(here.add(miller));
      await change(here.remove(baker));
      await change(here.add(baker));
      clock.advance(-60_000);
      await change(here.remove(miller));
      await change(here.add(miller));
      assert.equal(new Set(marks).size, marks.length, marks.join(', '));
      await here.remove(miller);
      await change(here.add(parseSubject('linkedin:in/smith')));
      assert.equal(new Set(marks).size, marks.length, 'another one in place of the newest');
    });

    test('reach another process within two seconds, and it looks once a second', async (t) => {
      const { here, there, clock } = await open();
      const looks = t.mock.method(there, 'mark').mock;
      const watched = new WatchedSuppressions(async () => there, clock);
      assert.equal(await watched.current(), null);
      for (let calls = 0; calls < 100; calls += 1) assert.equal(watched.current(), null);
      assert.equal(looks.callCount(), 1);
      await here.add(baker);
      await clock.advance(1_000);
      const [one, other] = await Promise.all([watched.current(), watched.current()]);
      assert.notEqual(one, null);
      assert.equal(one, other);
      assert.equal(looks.callCount(), 2);
      await clock.advance(1_000);
      assert.equal(await watched.current(), one, 'the same list is the same object');
      await here.remove(baker);
      await clock.advance(1_000);
      assert.equal(await watched.current(), null);
    });
  });
}
