import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Meta } from '../../lib/call/envelope.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { FakeClock } from './fake-clock.js';

/** Returns the ExtractError that a promise rejects with. */
export async function refusalOf(work: Promise<unknown>): Promise<ExtractError> {
  const error = await work.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ExtractError, String(error));
  return error;
}

/** An answer of a server, as text. */
export const goodAnswer = JSON.stringify({
  data: { a: 1 },
  meta: { request_id: 'req_1', next_cursor: null },
});

/** The error of a server that limits the rate, as text. */
export const limitedAnswer = JSON.stringify({
  error: {
    type: 'rate_limit',
    code: 'rate_limited',
    message: 'Slowly.',
    docs: 'https://d.test/docs/errors/rate_limited',
    request_id: 'req_2',
  },
});

/** A scripted answer of a server. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a server that returns a test's answers in order, and repeats the last. */
interface ScriptedClient {
  readonly requests: readonly unknown[];
  readonly clock: FakeClock;
  readonly url: string;
  /** Calls an endpoint. */
  call(): Promise<{ readonly meta: Pick<Meta, 'request_id'> }>;
}

/** How both clients treat the answers of a server. */
export function describeAnswers(open: (...answers: ScriptedAnswer[]) => Promise<ScriptedClient>): void {
  const rest = { status: 200, body: goodAnswer };
  const limited = (seconds: string) => ({
    status: 429,
    headers: { 'retry-after': seconds },
    body: limitedAnswer,
  });

  describe('a server that asks to wait', () => {
    test('is asked again after Retry-After', async () => {
      const { requests, clock, call } = await open(limited('40'), limited('40'), rest);
      const answering = call();
      for (const count of [1, 2]) {
        await clock.untilSleeping(1);
        assert.equal(requests.length, count);
        await clock.advance(40_000);
      }
      assert.equal((await answering).meta.request_id, 'req_1');
      assert.deepEqual([requests.length, clock.slept.filter((ms) => ms === 40_000).length], [3, 2]);
    });

    test('is not waited for without end', async () => {
      const { requests, clock, call } = await open(limited('100'));
      const answering = refusalOf(call());
      await clock.untilSleeping(1);
      await clock.advance(100_000);
      const { code, retryAfter, requestId } = await answering;
      assert.deepEqual([code, retryAfter, requestId, requests.length], ['rate_limited', 100, 'req_2', 2]);
    });

    test('fails immediately with any other error: an interrupted call may have been charged', async () => {
      const body = limitedAnswer.replace('rate_limited', 'platform_rate_limited');
      const { requests, call } = await open({ status: 502, headers: { 'retry-after': '30' }, body });
      const { code, retryAfter } = await refusalOf(call());
      assert.deepEqual([code, retryAfter, requests.length], ['platform_rate_limited', 30, 1]);
    });
  });

  for (const answer of [
    { status: 200, body: '<html>' },
    { status: 200, body: 'null' },
    { status: 200, body: '{"data":1}' },
    { status: 200, body: '{"data":1,"meta":null}' },
    { status: 204 },
    // It would send the key to another host.
    { status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } },
    { status: 502, body: '<h1>Bad Gateway</h1>' },
    { status: 404, body: '{"error":"nope"}' },
    { status: 404, body: '{"error":{"code":5}}' },
  ]) {
    test(`a server that answers ${JSON.stringify(answer)} is named as no server of ours`, async () => {
      const { requests, url, call } = await open(answer);
      const { code, message } = await refusalOf(call());
      assert.deepEqual([code, requests.length], ['platform_unavailable', 1]);
      assert.ok(message.includes(url));
    });
  }
}
