import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assertEnd, assertJob, newHome } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario } from '../scenario.js';

interface Sample {
  /** Memory of the process, and of its JavaScript objects. */
  readonly megabytes: number;
  readonly heap: number;
  /** Of the rest: what is no file (the allocator's, SQLite's), and the buffers that JavaScript's objects hold. */
  readonly anonymous: number;
  readonly external: number;
  readonly descriptors: number;
  /** 99th percentile of the event loop's delay in milliseconds, since the last sample. */
  readonly delay: number;
}

async function sampleOf(pid: number, url: string): Promise<Sample> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return {
    megabytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    heap: Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]) / 1024 ** 2,
    anonymous: Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    external: Number(/^nodejs_external_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 1024 ** 2,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    delay: Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000,
  };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const rounded = (number: number) => Math.round(number * 10) / 10;

/** Rounds per created job. */
const roundsOfJob = 6;

/** Reads, jobs, pages and refusals together, with an eye on memory, descriptors and the event loop. */
export const mixedLoad: Scenario = {
  name: 'mixed-load',
  about: 'reads, jobs, pages and refusals together: memory, descriptors and loop delay stay as they are',
  skip: () =>
    process.platform === 'linux' ? null : 'only Linux tells the memory and descriptors of a process',
  async run({ folder, ms, program, platform, random }) {
    const home = await newHome(path.join(folder, 'home'));
    // Small caches fill early, so that they do not look like a leak.
    const env = { ...platform.env, EXTRACT_CACHE_MEMORY_MB: '4', EXTRACT_CACHE_DISK_MB: '8' };
    const serving = await program.serve(home.home, { env });
    const client = new Client(serving.url, home.secret);
    const asking = load(client, 6, random);
    const jobs = new Map<string, readonly string[]>();
    const samples: Sample[] = [];
    const startedAt = performance.now();
    const step = Math.max(100, ms / 120);
    // Each third has as many jobs as the others: one that is at work has files and connections open.
    for (let round = 0; performance.now() - startedAt < ms || round % (3 * roundsOfJob) !== 0; round += 1) {
      if (round % roundsOfJob === 0) {
        const names = Array.from({ length: 40 }, (_, at) =>
          at % 9 === 4 ? `missing${at}` : `job${round}.${at}`,
        );
        const id = await client.job(`job-${round}`, names);
        if (id !== null) jobs.set(id, names);
      }
      for (const page of [
        ...['/docs', '/v1/usage', '/v1/jobs', '/healthz', '/nowhere', '/v1/account', '/openapi.json'],
      ]) {
        await client.get(page).catch(() => undefined);
      }
      await pause(step);
      samples.push(await sampleOf(serving.pid, serving.url));
    }
    await asking.stop();
    for (const [id, names] of jobs) await assertJob(client, id, names, { home: home.home });
    await assertEnd(serving, home, client);
    // The first third warms up.
    const third = Math.floor(samples.length / 3);
    const [early, late] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
    const figures = (part: readonly Sample[]): Sample => {
      const meanOf = (name: keyof Sample) => rounded(mean(part.map((one) => one[name])));
      // Immediately after a garbage collection, so that only live memory counts.
      const leastOf = (name: keyof Sample) => rounded(Math.min(...part.map((one) => one[name])));
      return {
        ...{ megabytes: meanOf('megabytes'), heap: leastOf('heap'), anonymous: meanOf('anonymous') },
        ...{ external: leastOf('external'), descriptors: meanOf('descriptors'), delay: meanOf('delay') },
      };
    };
    const [then, now] = [figures(early), figures(late)];
    const change = (name: keyof Sample) => `${then[name]} → ${now[name]}`;
    // A run that is too short has not warmed up.
    if (ms >= 10 * 60_000) {
      for (const name of ['megabytes', 'heap'] as const)
        assert.ok(now[name] < then[name] * 1.1 + 5, `${name}: ${change(name)} MB`);
    }
    assert.ok(now.descriptors < then.descriptors + 10, `descriptors: ${change('descriptors')}`);
    return {
      ...{ answers: client.answered.length, jobs: jobs.size, 'memory MB': change('megabytes') },
      ...{ 'heap in use MB': change('heap'), 'anonymous MB': change('anonymous') },
      ...{ 'external MB': change('external'), descriptors: change('descriptors') },
      'loop delay p99 ms': change('delay'),
    };
  },
};
