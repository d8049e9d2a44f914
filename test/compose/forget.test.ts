import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { openCache } from '../../lib/cache/open-cache.js';
import { endpoints } from '../../lib/endpoints.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { Traces } from '../../lib/suppressions/traces.js';
import { openSeenNames, openState } from '../../src/compose/open-state.js';
import { DatabaseMemory } from '../../src/lines/memory/database-memory.js';
import { observationOf } from '../../src/lines/memory/observation.js';
import { assertSound } from '../ledger/books.js';
import { awaitJob, echo, jobsHarness, linesOf, makeJob } from '../service/jobs/harness.js';

const subject = parseSubject('tiktok:@zebrabaker');
const traces = new Traces([subject]);
const word = /zebrabaker/i;

/** Files of a data directory that hold the word, whatever kind they are. */
const holding = (home: string) =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => word.test(readFileSync(file, 'latin1')));

const endpoint = endpoints.find((one) => one.path === 'shortvideo/comments') ?? assert.fail();
const comment = (id: string, username: string, text: string) => ({ id, username, text, like_count: 1 });
const list = [
  comment('1', 'zebrabaker', 'mine'),
  comment('2', 'other', 'theirs'),
  comment('3', 'third', 'hi @ZebraBaker'),
];
const sourceOf = (one: { id: string; username: string }) => ({
  ...{ id: one.id, url: null, author: { id: null, handle: one.username, name: null, url: null } },
  ...{ position: 1, fetched_at: '2026-11-05T00:00:00.000Z' },
});

describe('forgetting a subject in a data directory', () => {
  test('removes the name from every file, and keeps balances and line positions', async (t) => {
    const home = await jobsHarness(t, {
      ask: async (row, params, caller, signal) => {
        const answer = await echo(row, params, caller, signal);
        if (params.query === 'list')
          return { ...answer, json: JSON.stringify(list), sources: JSON.stringify(list.map(sourceOf)) };
        return params.query === 'nothing'
          ? answer
          : { ...answer, json: JSON.stringify({ username: 'zebrabaker', about: 'x'.repeat(400) }) };
      },
    });
    const customer = await home.customer();
    const id = await makeJob(home, customer, ['list', 'nothing', 'zebrabaker', 'other'], {
      name: 'for zebrabaker',
    });
    await awaitJob(home, customer, id);
    const before = await linesOf(home, customer, id);
    const { bytes } = await home.jobs.store.readProgress(customer.account, id);
    const credits = await home.credits(customer.account);

    const cache = openCache({ file: path.join(home.home, 'answers.db'), memoryBytes: 0 });
    const answer = { fetchedAt: '2026-11-05T00:00:00.000Z', next: null, prints: [] };
    await cache.set('a', { ...answer, data: JSON.stringify(list) }, 3600);
    await cache.set('b', { ...answer, data: '{"name":"somebody"}' }, 3600);
    await cache.close();
    writeFileSync(path.join(home.home, 'answers.db.damaged'), 'zebrabaker');
    const state = openState(home.home, home.clock);
    const delivery = { id: 'whd_1', body: '{"author":"zebrabaker"}', notice: null };
    await state.watches.write('w', { anchor: 0, last: 0, run: null, delivery });
    await state.close();
    const history = new DatabaseMemory(home.opened.database.stores, home.clock);
    for (const items of [list, [list[1]]]) {
      const outcome = {
        json: JSON.stringify(items),
        sources: JSON.stringify(items.map((one) => sourceOf(one as never))),
      };
      const observed = observationOf(
        endpoint,
        { id: '7571863205253778710' },
        true,
        { ...outcome, source: 'platform', calls: 1 },
        home.clock.now(),
      );
      await history.record('sched_1', 'run', [observed]);
      const { names, close } = await openSeenNames(home.home, home.clock);
      await names.remember('week', [{ observation: observed, rule: { counts: false, nulls: false } }]);
      await close();
    }
    await home.opened.suppressions.add(subject);
    assert.ok(holding(home.home).length >= 4, holding(home.home).join(', '));

    const receipt = await home.opened.forget(subject, traces);
    const removed = Object.fromEntries(receipt.map((one) => [one.place, one.removed]));
    assert.equal(removed['results of jobs'], 3, JSON.stringify(receipt));
    assert.equal(removed['cached answers'], 1);
    assert.equal(removed['what watches remember'], 1);
    assert.ok((removed['what --new remembers'] ?? 0) >= 2);
    assert.ok((removed['histories of schedules'] ?? 0) >= 2);

    // A suppressed subject appears only in the list of suppressions.
    await home.opened.suppressions.remove(subject);
    const others = (await home.opened.forget(subject, traces)).filter((one) => one.removed !== 0);
    assert.deepEqual(others, []);
    assert.deepEqual(holding(home.home), []);

    const after = await linesOf(home, customer, id);
    assert.equal(after.length, before.length);
    assert.equal((await home.jobs.store.readProgress(customer.account, id)).bytes, bytes);
    assert.deepEqual(after[1], before[1]);
    assert.deepEqual(after[0]?.data, [list[1]]);
    assert.equal(after[2]?.error?.code, 'subject_suppressed');
    assert.equal(await home.credits(customer.account), credits);
    assertSound(path.join(home.home, 'ledger.db'));
    assert.ok(existsSync(path.join(home.home, 'ledger.db')));
    const acts = await home.opened.audit.list({ limit: 10 });
    assert.equal(acts.filter(({ act }) => act === 'subject.forget').length, 2);
    assert.doesNotMatch(JSON.stringify(acts), word);
  });
});
