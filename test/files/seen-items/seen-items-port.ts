import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  SeenItemsBounds,
  SeenItemsStore,
  Subject,
} from '../../../src/files/seen-items/seen-items-store.js';
import { refusal } from '../../ledger/ledger-port.js';
import type { FakeClock } from '../../support/fake-clock.js';

export interface NewsUnderTest {
  readonly news: SeenItemsStore;
  readonly clock: FakeClock;
  /** The same store as another process opens it. */
  reopen(): Promise<SeenItemsStore>;
  /** Makes the store fail below the port. */
  breakDriver(): void;
}

const subject = (question: string, endpoint = 'maps/harbours'): Subject => ({ endpoint, question });
const posts = subject('posts of ann');
const set = (...items: string[]) => new Set(items);

/** What every store of what earlier runs gave promises. */
export function newsSuite(open: (bounds?: Partial<SeenItemsBounds>) => Promise<NewsUnderTest>): void {
  test('remembers the items of a list under a name, and of that list alone', async () => {
    const { news, reopen } = await open();
    assert.deepEqual(await news.findItems('a', posts, ['1']), { isKnown: false, items: set() });
    await news.remember('a', [{ subject: posts, items: ['2', '1'] }]);
    for (const store of [news, await reopen()]) {
      assert.deepEqual(await store.findItems('a', posts, ['3', '2', '1']), {
        isKnown: true,
        items: set('2', '1'),
      });
      assert.deepEqual(await store.findItems('b', posts, ['1']), { isKnown: false, items: set() });
      assert.equal((await store.findItems('a', subject('posts of bob'), ['1'])).isKnown, false);
      assert.equal((await store.findItems('a', { ...posts, endpoint: 'maps/other' }, ['1'])).isKnown, false);
    }
    assert.deepEqual([await news.hasName('a'), await news.hasName('b')], [true, false]);
    assert.equal(await news.isKnown('a', posts), true);
    assert.equal(await news.isKnown('a', subject('posts of bob')), false);
  });

  test('knows a list that was read and empty', async () => {
    const { news } = await open();
    await news.remember('a', [{ subject: posts, items: [] }]);
    assert.deepEqual(await news.findItems('a', posts, []), { isKnown: true, items: set() });
  });

  test('tells which items of a list are absent, and forgets those that were removed', async () => {
    const { news, reopen } = await open();
    assert.deepEqual(await news.listAbsent('a', posts, []), []);
    await news.remember('a', [
      { subject: posts, items: ['1', '2', '3', '4'], ids: ['one', 'two', null, 'four'] },
    ]);
    const absent = async (items: readonly string[]) =>
      (await (await reopen()).listAbsent('a', posts, items)).map(({ id, missing }) => [id, missing]);
    // Nobody can say which item without an ID is gone.
    assert.deepEqual(await absent(['1']), [
      ['two', 0],
      ['four', 0],
    ]);
    await news.remember('a', [{ subject: posts, items: ['1'], missing: ['2', '4'] }]);
    await news.remember('a', [{ subject: posts, items: ['1', '4'], removed: ['2'] }]);
    assert.deepEqual(await absent([]), [
      ['one', 0],
      ['four', 0],
    ]);
    assert.deepEqual((await news.findItems('a', posts, ['2', '3'])).items, set('3'));
    assert.equal((await news.listNames())[0]?.items, 3);
  });

  test('remembers the object that was given last', async () => {
    const { news } = await open();
    assert.equal(await news.findObject('a', posts), null);
    await news.remember('a', [{ subject: posts, object: '{"n":1}' }]);
    await news.remember('a', [{ subject: posts, object: '{"n":2}' }]);
    assert.equal(await news.findObject('a', posts), '{"n":2}');
  });

  test('lists, shows and forgets names', async () => {
    const { news, clock } = await open();
    assert.deepEqual(await news.listNames(), []);
    const begun = new Date(clock.now()).toISOString();
    await news.remember('b', [{ subject: posts, items: ['1', '2'] }]);
    await clock.advance(60_000);
    await news.remember('b', [{ subject: subject('x', 'maps/harbour'), object: '{}' }]);
    await news.remember('a', [{ subject: posts, items: ['1'] }]);
    const [first, second] = await news.listNames();
    assert.deepEqual([first?.name, first?.items], ['a', 1]);
    const last_run_at = new Date(clock.now()).toISOString();
    assert.deepEqual(second, { name: 'b', lists: 1, objects: 1, items: 2, created_at: begun, last_run_at });
    assert.deepEqual(await news.listEndpoints('b'), [
      { endpoint: 'maps/harbour', lists: 0, objects: 1, items: 0 },
      { endpoint: 'maps/harbours', lists: 1, objects: 0, items: 2 },
    ]);
    await news.forget('b');
    assert.deepEqual(await news.findItems('b', posts, ['1']), { isKnown: false, items: set() });
    assert.deepEqual((await news.findItems('a', posts, ['1'])).items, set('1'));
    for (const missing of [() => news.listEndpoints('b'), () => news.forget('b')]) {
      await assert.rejects(missing, refusal('invalid_parameter', /extract new list/));
    }
  });

  test('drops of a full list what was met longest ago: never its top', async () => {
    const { news } = await open({ itemsOfList: 4 });
    await news.remember('a', [{ subject: posts, items: ['6', '5', '4', '3', '2', '1'] }]);
    const given = async () =>
      [...(await news.findItems('a', posts, ['8', '7', '6', '5', '4', '3', '2', '1'])).items].sort();
    assert.deepEqual(await given(), ['3', '4', '5', '6']);
    // 3 is met again, at the end of a page; 4, 5 and 6 are not.
    await news.remember('a', [{ subject: posts, items: ['8', '7', '3'] }]);
    assert.deepEqual(await given(), ['3', '6', '7', '8']);
    assert.equal((await news.listNames())[0]?.items, 4);
  });

  test('drops of a full name the lists and objects that were met longest ago', async () => {
    const { news } = await open({ subjectsOfName: 2 });
    const all = ['x', 'y', 'z'].map((one) => subject(one));
    await news.remember('a', [{ subject: subject('x'), items: ['1'] }]);
    await news.remember('a', [{ subject: subject('y'), object: '{}' }]);
    await news.remember('a', [{ subject: subject('x'), items: ['1'] }]);
    await news.remember('a', [{ subject: subject('z'), items: ['1', '2'] }]);
    assert.deepEqual(await Promise.all(all.map((one) => news.isKnown('a', one))), [true, false, true]);
    assert.deepEqual((await news.listNames())[0], {
      ...((await news.listNames())[0] as object),
      lists: 2,
      objects: 0,
      items: 3,
    });
    const many = await open({ itemsOfName: 3 });
    await many.news.remember('a', [{ subject: subject('x'), items: ['1', '2'] }]);
    await many.news.remember('a', [{ subject: subject('y'), items: ['1', '2'] }]);
    assert.equal((await many.news.listNames())[0]?.items, 2);
    const left = await Promise.all(all.map((one) => many.news.isKnown('a', one)));
    assert.deepEqual(left, [false, true, false]);
  });

  test('forgets of too many names the one whose last run is longest ago, and what it held', async () => {
    const { news, clock } = await open({ names: 2 });
    for (const name of ['a', 'b', 'a', 'c']) {
      await news.remember(name, [{ subject: posts, items: [name] }]);
      await clock.advance(1_000);
    }
    const names = async () => (await news.listNames()).map(({ name }) => name);
    assert.deepEqual(await names(), ['a', 'c']);
    assert.equal((await news.findItems('b', posts, ['b'])).isKnown, false);
    // The one at work stays, also where the clock was set back.
    clock.set(clock.now() - 86_400_000);
    await news.remember('d', [{ subject: posts, items: ['d'] }]);
    assert.deepEqual(await names(), ['c', 'd']);
  });

  test('does not look at the clock for what is dropped', async () => {
    const { news, clock } = await open({ subjectsOfName: 1 });
    await news.remember('a', [{ subject: subject('x'), items: ['1'] }]);
    clock.set(clock.now() - 400 * 86_400_000);
    await news.remember('a', [{ subject: subject('y'), items: ['1'] }]);
    assert.equal(await news.isKnown('a', subject('y')), true);
    assert.equal(await news.isKnown('a', subject('x')), false);
  });

  test('remembers all of it or nothing, and names its faults', async () => {
    const { news, breakDriver } = await open();
    await news.remember('a', [{ subject: posts, items: ['1'] }]);
    breakDriver();
    const broken = refusal('internal_error', /state/);
    await assert.rejects(news.remember('a', [{ subject: posts, items: ['2'] }]), broken);
    await assert.rejects(news.findItems('a', posts, ['1']), broken);
    await assert.rejects(news.findObject('a', posts), broken);
    await assert.rejects(news.listNames(), broken);
  });
}
