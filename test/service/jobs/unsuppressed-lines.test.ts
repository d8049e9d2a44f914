import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { unsuppressedLines } from '../../../src/service/jobs/results/unsuppressed-results.js';

const suppressed = new SuppressedSubjects([parseSubject('tiktok:@zebrabaker')]);
const services = { suppressed: () => suppressed, docsBase: 'https://x.test' };
const lineOf = (username: string) =>
  `${JSON.stringify({ input: { id: '7' }, data: [{ id: username.slice(0, 1), video_id: '7', username, text: 'ä' }] })}\n`;
const stored = Buffer.from(['first', 'zebrabaker', 'third'].map(lineOf).join(''));

test('a suppressed subject is left out of a line wherever the chunks that hold it end', async () => {
  for (let size = 1; size <= stored.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(stored.length / size) }, (_, at) =>
      stored.subarray(at * size, (at + 1) * size),
    );
    const source = {
      read: () => Readable.from(chunks),
      isKept: async () => true,
      edition: async () => '',
    };
    const lines = unsuppressedLines(source, { services, endpoints });
    const { read } = await lines.open({ id: 'job_1', endpoint: 'shortvideo/comments' });
    const [first, suppressedLine = '', third] = (await text(read())).split(/(?<=\n)/);
    assert.deepEqual([first, third], [lineOf('first'), lineOf('third')], `chunks of ${size} bytes`);
    assert.deepEqual(JSON.parse(suppressedLine), { input: { id: '7' }, data: [] });
    assert.equal(Buffer.byteLength(suppressedLine), Buffer.byteLength(lineOf('zebrabaker')));
  }
});
