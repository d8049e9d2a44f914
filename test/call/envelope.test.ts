import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, envelope, envelopeText } from '../../lib/call/envelope.js';

const meta = {
  request_id: 'req_1',
  credits_charged: 3,
  credits_remaining: 7,
  cached: true,
  fetched_at: '2026-11-05T12:00:00.000Z',
  next_cursor: 'bm90aGluZw',
};
const data = [{ name: 'Café “Ærø” ☕ 𝒳', size: null }];

const answer: Answer = { source: 'platform', json: JSON.stringify(data), meta };

describe('the envelope', () => {
  test('is the same as text and as a value', () => {
    assert.deepEqual(JSON.parse(envelopeText(answer)), { data, meta });
    assert.deepEqual(envelope(answer), { data, meta });
  });
});
