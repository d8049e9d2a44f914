// Receivers of webhooks on loopback, and jobs whose webhooks find them.
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { authority } from '../../../support/authority.js';
import type { FakeClock } from '../../../support/fake-clock.js';
import { bodyOf, loopback } from '../../../support/loopback.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type JobsHarnessOptions, jobsHarness, makeJob } from '../harness.js';

const folder = temporaryFolder();
const ca = authority(folder);
const tls = ca.issue('hooks.example', 'other.example');

export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Behaviour = (response: ServerResponse) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(code, headers).end('seen');
export const hang: Behaviour = () => undefined;

/** A receiver on loopback that behaves as told, one behaviour an attempt, the last one from then on. */
export async function receiver(t: TestContext, clock: FakeClock, behaviours: readonly Behaviour[]) {
  const received: Received[] = [];
  const server = await loopback(
    t,
    (request, response) => {
      void bodyOf(request).then((body) => {
        received.push({ at: clock.now(), headers: request.headers, body });
        (behaviours[received.length - 1] ?? behaviours.at(-1))?.(response);
      });
    },
    tls,
  );
  return { ...server, received, url: `https://hooks.example:${server.port}/hook?a=b` };
}

/** Jobs whose webhooks find `hooks.example` on loopback, which the operator allows. */
export function hooked(t: TestContext, clock: FakeClock, more: JobsHarnessOptions = {}) {
  return jobsHarness(t, {
    clock,
    webhookAllow: ['hooks.example'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: readFileSync(ca.file, 'utf8'),
    ...more,
  });
}

/** Jobs with webhooks, and a customer who makes them. */
export async function makesWebhooks(t: TestContext, clock: FakeClock, more: JobsHarnessOptions = {}) {
  const all = await hooked(t, clock, more);
  const customer = await all.customer();
  const stateOf = (id: string) => all.jobs.webhooks.findDelivery(customer.account, id);
  /** Lets time pass, from one attempt to the next, until nothing more is due. */
  const outcome = async (id: string) => {
    for (;;) {
      const delivery = await stateOf(id);
      if (delivery.state !== 'pending') return delivery;
      const wait = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
      if (wait > 0) await clock.advance(wait);
      else await setImmediate();
    }
  };
  const make = (webhookUrl: string, queries: readonly string[] = ['a']) =>
    makeJob(all, customer, queries, { webhookUrl });
  return {
    ...{ clock, all, customer, stateOf, outcome, make },
    find: (id: string) => all.jobs.store.find(customer.account, id),
    /** Makes a job and waits until its delivery has ended. */
    async deliver(webhookUrl: string, queries?: readonly string[]) {
      const job = await make(webhookUrl, queries);
      return { job, ...(await outcome(job)) };
    },
  };
}
