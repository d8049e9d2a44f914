import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerMessage, parseAnswer } from '../../../src/files/evidence/http-message.js';
import { exchange } from './harness.js';

test('a response is read as it was written, whatever its headers', () => {
  const headers = Object.fromEntries([
    ['constructor', 'a'],
    ['__proto__', ['b', 'c']],
    ['x-names', 'd'],
  ]);
  const { head, body } = answerMessage(exchange('text', 0, { headers }));
  const answer = parseAnswer(Buffer.concat([head, body]));
  assert.deepEqual(Object.entries(answer?.headers ?? {}), [
    ['constructor', ['a']],
    ['__proto__', ['b', 'c']],
    ['x-names', ['d']],
    ['content-length', ['4']],
  ]);
  assert.equal(String(answer?.body), 'text');
});
