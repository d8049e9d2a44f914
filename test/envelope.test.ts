import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, envelope, envelopeBytes, envelopeText } from '../lib/envelope.js';

const meta = {
  request_id: 'req_1',
  credits_charged: 3,
  credits_remaining: 7,
  cached: true,
  fetched_at: '2026-11-05T12:00:00.000Z',
  next_cursor: 'bm90aGluZw',
};
const data = [{ name: 'Café “Ærø” ☕ 𝒳', size: null }];
const answer: Answer = { json: JSON.stringify(data), meta };

describe('the envelope', () => {
  test('is the same as text, as bytes and as a value', () => {
    assert.deepEqual(JSON.parse(envelopeText(answer)), { data, meta });
    assert.equal(envelopeBytes(answer).toString('utf8'), envelopeText(answer));
    assert.deepEqual(envelope(answer), { data, meta });
  });

  test('of a kept answer is the same each time, with the meta of each', () => {
    const kept = {};
    for (const id of ['req_1', 'req_2', 'req_3']) {
      const told = { ...answer, kept, meta: { ...meta, request_id: id } };
      assert.equal(envelopeBytes(told).toString('utf8'), envelopeText(told));
    }
  });

  test('bytes that were given away are not used again', () => {
    const kept = {};
    const first = envelopeBytes({ ...answer, kept });
    first.fill(0);
    assert.equal(envelopeBytes({ ...answer, kept }).toString('utf8'), envelopeText(answer));
  });
});
