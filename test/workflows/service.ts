import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Surroundings, serveSite } from '../as-it-comes/harness.js';
import type { Answers } from '../support/browser-site.js';

type Body = Readonly<Record<string, unknown>>;

/** What the schedule of a new job gives. */
interface RunSchedule {
  readonly schedule: string;
  /** The job of its newest run. */
  readonly job: string;
}

/** Starts `extract serve` in a separate process, with an account that has a key. `answers` simulates the platforms. */
export async function openService(answers: Answers, where?: Surroundings) {
  const { run, serve, home } = await serveSite(answers);
  const email = 'ann@example.com';
  assert.equal((await run(['accounts', 'create', '--email', email, '--verified'])).status, 0);
  const keyResult = await run(['keys', 'create', '--email', email, '--name', 'one', '--json']);
  const apiKey = JSON.parse(keyResult.out).data.secret as string;
  const { url } = await serve(where);
  const ask = async (path: string, body?: Body) => {
    const answer = await fetch(`${url}/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return JSON.parse(text).data;
  };
  const ended = async (job: string): Promise<void> => {
    while ((await ask(`jobs/${job}`)).status !== 'done') await sleep(100);
  };
  const newest = async (schedule: string) => (await ask(`schedules/${schedule}`)).last_run?.job as string;
  return {
    ...{ url, apiKey, home, run, ask },
    async linesOf(job: string): Promise<unknown[]> {
      const headers = { authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${url}/v1/jobs/${job}/results`, { headers });
      return (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    /** Makes a schedule, and waits for the end of its first run. */
    async schedule(order: Body): Promise<RunSchedule> {
      const { schedule, id: job } = await ask('jobs', { schedule: 'monday 08:00', ...order });
      await ended(job);
      return { schedule, job };
    },
    /** Lets the next week of a schedule be, and waits for the end of its run. */
    async nextWeek({ schedule, job: before }: RunSchedule): Promise<RunSchedule> {
      await ask(`schedules/${schedule}/run`, {});
      let job = before;
      for (; job === before; job = await newest(schedule)) await sleep(100);
      await ended(job);
      return { schedule, job };
    },
  };
}
