import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import { forgottenLine } from '../../../src/service/jobs/results/forgotten-line.js';
import { unsuppressedLine } from '../../../src/service/jobs/results/unsuppressed-line.js';

const subjects = [parseSubject('tiktok:@zebrabaker')];
const videos = endpoints.find(({ path }) => path === 'shortvideo/videos') as Endpoint;
const input = { username: 'zebrabaker' };
const lineOf = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

/** Lines of results that are shorter than the error that would take their place. */
const short = [
  { input, data: [] },
  { input, data: [], sources: [], left_out: 3 },
  { input, data: null, left_out: 1 },
];

describe('a line too short for an error', () => {
  test('is still a line of results once its subject was forgotten, of the same length', () => {
    for (const value of short) {
      const line = lineOf(value);
      const forgotten = forgottenLine(line, new Traces(subjects));
      assert.equal(forgotten.length, line.length);
      assert.deepEqual(JSON.parse(String(forgotten)), { ...value, input: {} });
    }
  });

  test('says no more than its input where the subject is suppressed, and is still a line of results', () => {
    const door = {
      endpoint: videos,
      suppressed: new SuppressedSubjects(subjects),
      docsBase: 'https://x.test',
    };
    for (const value of short) {
      assert.deepEqual(JSON.parse(String(unsuppressedLine(lineOf(value), door))), value);
    }
    const line = lineOf({ input, data: [], removed: ['7000000000000000001'] });
    const rebuilt = unsuppressedLine(line, door);
    assert.equal(rebuilt.length, line.length);
    assert.deepEqual(JSON.parse(String(rebuilt)), { input, data: [], removed: [] });
  });
});
