import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, envelope, envelopeParts, envelopeText } from '../lib/envelope.js';

const meta = {
  request_id: 'req_1',
  credits_charged: 3,
  credits_remaining: 7,
  cached: true,
  fetched_at: '2026-11-05T12:00:00.000Z',
  next_cursor: 'bm90aGluZw',
};
const data = [{ name: 'Café “Ærø” ☕ 𝒳', size: null }];

function bytesOf(answer: Answer): Buffer {
  const [payload, rest] = envelopeParts(answer);
  return Buffer.concat([payload, Buffer.from(rest, 'latin1')]);
}

const answer: Answer = { json: JSON.stringify(data), meta };

describe('the envelope', () => {
  test('is the same as text, as bytes and as a value', () => {
    assert.deepEqual(JSON.parse(envelopeText(answer)), { data, meta });
    assert.equal(bytesOf(answer).toString('utf8'), envelopeText(answer));
    assert.deepEqual(envelope(answer), { data, meta });
  });

  test('of a kept answer is the same each time, with the meta of each', () => {
    const kept = {};
    for (const id of ['req_1', 'req_2', 'req_3']) {
      const told = { ...answer, kept, meta: { ...meta, request_id: id } };
      assert.equal(bytesOf(told).toString('utf8'), envelopeText(told));
    }
  });

  test('of a kept answer is encoded once', () => {
    const kept = {};
    const [first] = envelopeParts({ ...answer, kept });
    assert.equal(envelopeParts({ ...answer, kept })[0], first);
    assert.notEqual(envelopeParts({ ...answer, kept: {} })[0], first);
  });
});
