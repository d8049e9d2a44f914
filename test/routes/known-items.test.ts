import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeItems, type ItemIdentity } from '../../lib/routes/complete-items.js';
import { readBy } from '../../lib/routes/merge.js';
import type { ObjectReading, Route } from '../../lib/routes/route.js';

interface Job {
  readonly title: string;
  readonly description: string | null;
}

const sourceOf = (id: string) => ({ id, url: null, author: null });

test('the pages of known items are not read, and the list says that it is less than it can be', async () => {
  const readIds: string[] = [];
  const page: Route<ItemIdentity, ObjectReading<Job>> = {
    ...{ name: 'page', reads: 'A page.', surface: 'page', seen: { month: '2026-11', from: ['home'] } },
    fills: {},
    async read({ identity: { id } }) {
      readIds.push(id);
      return { data: { title: id, description: `About ${id}` }, source: sourceOf(id), partial: [] };
    },
  };
  const items = ['old', 'new'].map((id) => ({
    read: readBy<Job>({ title: id, description: null }, page, {}),
    source: sourceOf(id),
  }));
  const request = {
    ...{ identity: null, limit: 2, part: null, overrides: null, refusedLately: [] },
    session: { fetch: () => assert.fail('fetched'), cookie: () => null, end: () => undefined },
  };
  const ladder = { routes: [{ route: page, fields: ['description'] as const }] };
  const completed = await completeItems(ladder, items, request, async (ids) => new Set(ids.slice(0, 1)));
  assert.deepEqual(readIds, ['new']);
  assert.deepEqual(
    completed.items.map(({ read: { data } }) => data.description),
    [null, 'About new'],
  );
  assert.deepEqual(
    [completed.isComplete, (await completeItems(ladder, items, request)).isComplete],
    [false, true],
  );
});
