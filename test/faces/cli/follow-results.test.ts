import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { resultLines } from '../../../src/faces/cli/jobs/results.js';
import { FakeClock } from '../../support/fake-clock.js';

/** Follows a job whose connection breaks so often without a line, each after so many milliseconds. */
async function follow(breaks: number, stoodMs: number): Promise<string> {
  const clock = new FakeClock();
  const positions: string[] = [];
  const open = async (_: string, { from = '' }: Readonly<Record<string, string>>) => {
    positions.push(from);
    return (async function* bytes() {
      if (positions.length > breaks) yield Buffer.from('{"input":{}}\n');
      else {
        await clock.advance(stoodMs);
        throw new ExtractError('platform_unavailable', 'It broke off.');
      }
    })();
  };
  // The pauses between the tries.
  const pausing = {
    ...clock,
    now: () => clock.now(),
    alarm: clock.alarm.bind(clock),
    sleep: async () => undefined,
  };
  const texts: string[] = [];
  const lines = resultLines({ open }, 'job_1', true, new AbortController().signal, {
    ...pausing,
    elapsed: () => clock.elapsed(),
  });
  for await (const line of lines) texts.push(line.toString());
  return texts.join('');
}

describe('a follower of results', () => {
  test('abandons a connection that breaks immediately again and again', async () => {
    assert.equal(await follow(30, 10), '{"input":{}}\n');
    await assert.rejects(follow(500, 10), ExtractError);
  });
});
