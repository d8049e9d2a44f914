import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { stateFile } from '../../../src/compose/open-state.js';
import type { Notice } from '../../../src/service/notify/notice.js';
import { RunAlert } from '../../../src/service/notify/run-alert.js';
import { StoredUnsentAlerts } from '../../../src/service/notify/stored-unsent-alerts.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = stateFile(folder, systemClock);
// Safe, because the test's machine does not lose power.
(await file.driver()).pragma('synchronous = OFF');
after(() => file.close());
let machines = 0;

class Killed extends Error {}

/** A machine whose process may be killed before any of its writes. What is written stays. */
function machine() {
  const store: StoredUnsentAlerts = new StoredUnsentAlerts(file);
  const key = `name ${++machines}`;
  const notices: Notice[] = [];
  /** Items that a later run under the name leaves out. */
  const keys = new Set<string>();
  const output = { batch: '', lines: [] as string[], reached: 0 };
  let [left, ids, batches] = [Number.POSITIVE_INFINITY, 0, 0];
  const alive = () => {
    if (left === 0) throw new Killed();
    left -= 1;
  };
  const watched = new Proxy(store, {
    get(target, name) {
      const method = target[name as keyof StoredUnsentAlerts] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        alive();
        return method.apply(target, args);
      };
    },
  });

  /** One process over inputs of one item each; `saveEvery` lines are checkpointed together. */
  async function run(
    inputs: readonly string[],
    { isFirst = false, resumes = true, saveEvery = 2, stopsAt = Number.POSITIVE_INFINITY } = {},
  ): Promise<void> {
    if (!resumes || output.batch === '')
      Object.assign(output, { batch: `b${++batches}`, lines: [], reached: 0 });
    output.lines.length = output.reached;
    const alert = await RunAlert.begin(
      {
        store: watched,
        key,
        isFirst: isFirst && keys.size === 0,
        newId: () => `whd_${++ids}`,
        async send(notice) {
          alive();
          notices.push(notice);
        },
      },
      {
        ...{ batch: output.batch, retries: false, endpoint: 'maps/reviews', at: '', output: null },
        ...{ resumed: output.reached > 0, isNews: true, writtenInputs: output.reached },
      },
    );
    const save = async () => {
      alive();
      output.reached = output.lines.length;
      await alert.saved(output.reached);
      alive();
      for (const line of output.lines) if (line !== '') keys.add(line);
    };
    for (const [at, item] of inputs.entries()) {
      if (at < output.reached) continue;
      if (at >= stopsAt) {
        await save();
        return alert.end(false, 'platform_blocked: Refused.');
      }
      const isNew = !keys.has(item);
      if (isNew) await alert.apply(at, { input: { id: item }, data: [{ item }], sources: [], changed: null });
      alive();
      output.lines.push(isNew ? item : '');
      if (output.lines.length % saveEvery === 0) await save();
    }
    await save();
    await alert.end(true, null);
  }

  return {
    read: () => store.read(key),
    told: notices,
    run,
    items: () => notices.flatMap(({ items }) => items.map(({ data }) => (data as { item: string }).item)),
    /** Resolves with whether the process was killed before its so many-th write. */
    async killedAt(writes: number, work: () => Promise<void>): Promise<boolean> {
      left = writes;
      try {
        await work();
        return false;
      } catch (cause) {
        if (!(cause instanceof Killed)) throw cause;
        return true;
      } finally {
        left = Number.POSITIVE_INFINITY;
      }
    },
  };
}

const inputs = ['a', 'b', 'c', 'd', 'e'];

/** The same content has the same ID, whichever process reports it, however often. */
function assertStableIds(notices: readonly Notice[]): void {
  const texts = new Map<string, string>();
  for (const notice of notices) {
    assert.equal(texts.get(notice.id) ?? JSON.stringify(notice), JSON.stringify(notice));
    texts.set(notice.id, JSON.stringify(notice));
  }
}

for (const resumes of [true, false]) {
  test(`a run that is killed before any of its writes loses no item: ${resumes ? 'resumed' : 'another run follows'}`, async () => {
    let kills = 0;
    for (let writes = 0; ; writes += 1) {
      const { run, killedAt, told: notices, items, read } = machine();
      const isKilled = await killedAt(writes, () => run(inputs));
      // The next process may be killed as well.
      for (let second = 0; second < 4; second += 1)
        await killedAt(second * 2, () => run(inputs, { resumes }));
      await run(inputs, { resumes });
      assert.deepEqual([...new Set(items())].sort(), inputs, `killed before write ${writes}`);
      assertStableIds(notices);
      assert.equal(await read(), null);
      if (!isKilled) break;
      kills += 1;
    }
    assert.ok(kills > 15, String(kills));
  });
}

describe('the alert of a run', () => {
  test('reports that the run stopped, with the saved items only', async () => {
    const { run, told: notices, items } = machine();
    await run(inputs, { stopsAt: 3 });
    assert.deepEqual([notices[0]?.stopped, items()], ['platform_blocked: Refused.', ['a', 'b', 'c']]);
    await run(inputs);
    assert.deepEqual([notices[1]?.stopped, notices[1]?.resumed, items()], [null, true, inputs]);
  });

  test('reports that the run stopped even without items', async () => {
    const { run, told: notices } = machine();
    await run(inputs, { stopsAt: 0 });
    const endings = notices.map(({ total, stopped }) => [total, stopped]);
    assert.deepEqual(endings, [[0, 'platform_blocked: Refused.']]);
  });

  test('reports only the number of items of a first run, however often it is killed', async () => {
    for (let writes = 0; writes < 40; writes += 1) {
      const { run, told: notices, killedAt } = machine();
      await killedAt(writes, () => run(inputs, { isFirst: true }));
      await run(inputs, { isFirst: true });
      assert.ok(notices.length > 0);
      for (const { known, total, items } of notices)
        assert.deepEqual([known, total, items], [5, 0, []], `killed before write ${writes}`);
      assertStableIds(notices);
      await run([...inputs, 'f'], { isFirst: true, resumes: false });
      const newItems = notices.at(-1)?.items.map(({ data }) => data);
      assert.deepEqual(newItems, [{ item: 'f' }]);
    }
  });
});
