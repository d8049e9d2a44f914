import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { outputOf } from '../support/program-output.js';
import { videoId, videoPageOf } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

const ids = Array.from({ length: 6 }, (_, at) => String(BigInt(videoId) + BigInt(at)));
const args = ['batch', 'shortvideo/video', 'videos.txt', '-o', 'videos.ndjson'];

/** A batch of six videos, interrupted with the third request. `hang`: that one is never answered. */
async function interrupted({ hang }: { readonly hang: boolean }) {
  let requests = 0;
  let running: ChildProcess | undefined;
  const world = await serveSite(({ path: requestPath }) => {
    requests += 1;
    if (requests === 3) running?.kill('SIGINT');
    if (requests === 3 && hang) return { hang: true };
    return { body: videoPageOf(/\d+$/.exec(requestPath)?.[0] ?? '') };
  });
  const inHome = args.map((arg) => (arg.includes('.') ? path.join(world.home, arg) : arg));
  writeFileSync(path.join(world.home, 'videos.txt'), ids.map((id) => `${id}\n`).join(''));
  running = world.start(inHome);
  return {
    running,
    requests: () => requests,
    lines: () => {
      const text = readFileSync(path.join(world.home, 'videos.ndjson'), 'utf8');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    resume: () => world.run([...inHome, '--resume']),
    usage: async () =>
      JSON.parse((await world.run(['usage', '--json'])).out).data as {
        credits_charged: number;
        error_code: string | null;
      }[],
  };
}

describe('Ctrl-C, with every setting as it comes', () => {
  test('pressed twice exits immediately, and what was written can be resumed', async () => {
    const batch = await interrupted({ hang: true });
    const ended = outputOf(batch.running);
    while (batch.requests() < 3) await wait(20);
    // The first one waits for the request under way; the second does not.
    const repeat = setInterval(() => batch.running.kill('SIGINT'), 100);
    const { status } = await ended;
    clearInterval(repeat);
    assert.equal(status, 130);
    const resumed = await batch.resume();
    assert.equal(resumed.status, 0, resumed.err);
    assert.deepEqual(
      batch.lines().map(({ data }) => data?.id),
      ids,
    );
  });
});
