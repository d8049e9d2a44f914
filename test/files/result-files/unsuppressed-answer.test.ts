import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { unsuppressedAnswer } from '../../../src/files/result-files/unsuppressed-answer.js';

const rowOf = (path: string) => endpoints.find((one) => one.path === path) as Endpoint;
const suppressed = new SuppressedSubjects([parseSubject('tiktok:@quiet.harbour')]);
const answer = (input: object, ...names: readonly string[]) => ({
  ...{ input, index: 0, from: 0, error: null },
  items: names.map((username) => ({ username })),
  sources: names.map((handle, at) => ({
    ...{ id: String(at), url: null, author: { id: null, handle, name: null, url: null } },
    ...{ position: at + 1, fetched_at: '2026-11-28T12:00:00.000Z', route: null },
  })),
});

test('an answer loses the items of suppressed subjects, with their sources', () => {
  const comments = rowOf('shortvideo/comments');
  const given = answer({ id: '7571000000000000201' }, 'mira', 'quiet.harbour', 'ferry');
  const rest = unsuppressedAnswer(given, comments, suppressed);
  assert.deepEqual(rest?.items, [{ username: 'mira' }, { username: 'ferry' }]);
  assert.deepEqual(
    rest?.sources?.map(({ id }) => id),
    ['0', '2'],
  );
  const others = answer({ id: '7571000000000000201' }, 'mira');
  assert.equal(unsuppressedAnswer(others, comments, suppressed), others);
});

test('an answer that asked for one of them, or is one, is left out', () => {
  const profile = rowOf('shortvideo/profile');
  assert.equal(unsuppressedAnswer(answer({ username: '@Quiet.Harbour' }), profile, suppressed), null);
  const moved = answer({ username: 'mira' }, 'quiet.harbour');
  assert.equal(unsuppressedAnswer(moved, profile, suppressed), null);
});
