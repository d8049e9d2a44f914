import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { showAnswer } from '../../../src/faces/mcp/show-answer.js';
import { viewOf } from '../../../src/faces/mcp/view-parameters.js';

const endpoint = endpoints.find(({ path }) => path === 'maps/reviews') ?? assert.fail();
const access = { realPagesHint: '' };
const meta = {
  ...{ request_id: 'req_1', credits_charged: 3, credits_remaining: 7, cached: false },
  ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
};

/** An answer with this many items, each with a text of this length, and their sources. */
function recent(count: number, length: number) {
  const items = Array.from({ length: count }, (_, at) => ({ rating: 5, text: `${at}`.padEnd(length, 'x') }));
  const sources = items.map((_, at) => ({ id: `r${at}`, position: at + 1 }));
  const answer = {
    source: 'sample',
    json: JSON.stringify(items),
    meta,
    sources: JSON.stringify(sources),
  } as const;
  return { endpoint, answer, account: 'acct_1', demo: false };
}

test('sources are those of the items shown, in their order, on every page of a cut answer', () => {
  const view = viewOf(endpoint, { text_limit: 5000 });
  const answer = recent(20, 4000);
  for (let offset = 0; offset < 20; ) {
    const { data, sources } = showAnswer(answer, view, access, { offset, count: 100 });
    const texts = (data as { text: string }[]).map(({ text }) => `r${Number.parseInt(text, 10)}`);
    assert.ok(texts.length > 0 && texts.length < 20);
    assert.deepEqual(
      (sources as { id: string }[]).map(({ id }) => id),
      texts,
    );
    offset += texts.length;
  }
});
