import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { assertEnd, newHome } from '../books.js';
import { Client } from '../client.js';
import type { Mood } from '../platform.js';
import { pause, type Scenario } from '../scenario.js';

const moods: readonly Mood[] = [
  'breaks off',
  'garbage',
  'failing',
  'proxy closes',
  'proxy drops',
  'proxy refuses',
  'proxy is silent',
  'proxy lies',
];

/** A call to an unresponsive platform ends at its deadline. */
const deadlineMs = 3_000;

/** Threads of a process; none if the system does not report them. */
const threadsOf = (pid: number) =>
  existsSync('/proc/self/task') ? readdirSync(`/proc/${pid}/task`).length : Number.NaN;

/** Platforms and proxies that close connections, lie, break off, or stay silent. */
export const liars: Scenario = {
  name: 'liars',
  about: 'platforms and proxies that close, lie, break off, are silent, and send 5 MB',
  async run({ folder, ms, program, platform }) {
    const home = await newHome(path.join(folder, 'home'));
    const env = { ...platform.env, EXTRACT_TIMEOUT_MS: String(deadlineMs) };
    const serving = await program.serve(home.home, { env });
    const client = new Client(serving.url, home.secret);
    const end = performance.now() + ms;
    let [rounds, slowest, connections] = [0, 0, 0];
    try {
      for (; rounds === 0 || performance.now() < end; rounds += 1) {
        for (const mood of moods) {
          platform.mood = mood;
          platform.cut();
          await pause(50);
          const before = platform.counts.connections;
          const began = performance.now();
          const names = Array.from({ length: 6 }, (_, at) => `${mood.replaceAll(' ', '.')}${rounds}.${at}`);
          const answers = await Promise.all(names.map((name) => client.profile(name)));
          slowest = Math.max(slowest, Math.round(performance.now() - began));
          for (const answer of answers) {
            assert.match(
              answer?.code ?? 'no answer',
              /^platform_(unavailable|timeout|changed|blocked)$/,
              mood,
            );
          }
          // A proxy that breaks off is named in the error, and tried at most three times.
          if (mood === 'proxy closes' || mood === 'proxy drops') {
            const codes = new Set(answers.map((answer) => answer?.code));
            assert.deepEqual([...codes], ['platform_unavailable'], mood);
            assert.ok(platform.counts.connections - before <= 3 * names.length, mood);
          }
          const opened = (platform.counts.connections - before) / names.length;
          connections = Math.max(connections, opened);
          platform.mood = 'answers';
          platform.cut();
          await pause(50);
          const again = await client.profile(`well.${mood.replaceAll(' ', '.')}${rounds}`);
          assert.equal(again?.status, 200, `after “${mood}”: ${again?.code}`);
        }
      }
      // The built program also has a reader thread, which brings a few V8 threads.
      const threads = threadsOf(serving.pid);
      platform.mood = 'large';
      for (let at = 0; at < 3; at += 1) assert.equal((await client.profile(`large${at}`))?.status, 200);
      assert.ok(!(threadsOf(serving.pid) <= threads), 'large pages are read in a thread of their own');
    } finally {
      platform.mood = 'answers';
    }
    assert.ok(slowest < deadlineMs + 5_000, `${slowest} ms`);
    assert.ok(connections <= 30, `${connections} connections a call`);
    await assertEnd(serving, home, client);
    return {
      moods: moods.length,
      answers: client.answered.length,
      'slowest ms': slowest,
      'connections a call': connections,
    };
  },
};
