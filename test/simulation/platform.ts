import * as z from 'zod';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { pageUrl, text } from '../../lib/params/vocabulary.js';
import { person } from '../../lib/person.js';
import type { CallSignal } from '../../lib/runtime/abort.js';
import type { Page, PageSession, PageSource } from '../../lib/web/page-source.js';
import type { Sender } from '../../src/service/jobs/webhooks/sender.js';
import { testSite } from '../support/site.js';
import { later, machine } from './machine.js';
import { mix, Random } from './random.js';

/*
 * The world outside the machine: a platform with some accounts, and receivers of webhooks. The outcome of a request
 * depends only on the seed, its subject and the number of attempts.
 */

/** Accounts of the platform. Names that begin with `gone` do not exist. */
export const people = ['ada', 'ben', 'cleo', 'dan', 'eve', 'gone1', 'gone2'] as const;
export const price = 3;

const present = people.filter((name) => !name.startsWith('gone'));

const addressOf = (username: string) => `https://www.tiktok.com/@${username}`;
const sourceOf = (username: string) => ({ id: null, url: addressOf(username), author: null });

/** Returns the text of a page. Throws the platform's refusal. */
async function textOf(session: Pick<PageSession, 'fetch'>, username: string): Promise<string> {
  const page = await session.fetch({ url: addressOf(username) });
  if (page.status === 404) throw new ExtractError('profile_not_found');
  if (page.status !== 200) throw new ExtractError('platform_unavailable');
  return page.text();
}

const common = {
  credits: price,
  cacheSeconds: 60,
  site: testSite({ surfaces: { page: { ms: 0, concurrency: 3 } } }),
  params: () => ({ username: text('Name.'), url: pageUrl('Address.') }),
  exactlyOne: ['username', 'url'],
} as const;

const seenPerson = z.strictObject({
  username: z.string().register(person, { of: ['username'], as: 'name' }),
  seen: z.int(),
});

/** A profile of the platform, read by one request. */
export const profile = defineEndpoint({
  path: 'shortvideo/profile',
  operation: 'get_profile',
  summary: 'A profile',
  description: 'Read from the simulated platform.',
  ...common,
  returns: seenPerson,
  many: false,
  identify: ({ username, url }) => ({ username: username ?? url ?? '' }),
  async read({ identity, session }) {
    const username = String(identity.username);
    const data = JSON.parse(await textOf(session, username));
    return { data, sources: [sourceOf(username)] };
  },
}) as unknown as Endpoint;

/** A list of all accounts, which takes one request. */
export const everyone = defineEndpoint({
  path: 'shortvideo/everyone',
  operation: 'list_everyone',
  summary: 'Everyone',
  description: 'Read from the simulated platform.',
  ...common,
  page: { max: 30 },
  returns: seenPerson,
  many: true,
  identify: ({ username, url }) => ({ username: username ?? url ?? '' }),
  async read({ identity, session }) {
    const { seen } = JSON.parse(await textOf(session, String(identity.username)));
    const data = present.map((username) => ({ username, seen }));
    return { data, sources: present.map(sourceOf), emptyProof: {} };
  },
}) as unknown as Endpoint;

/** A delivery that reached its receiver. */
export interface Receipt {
  readonly id: string;
  readonly job: string;
  readonly status: number;
  readonly at: number;
}

/** The outside world of one history. */
export class Outside {
  readonly receipts: Receipt[] = [];
  /** When the last delivery of each job was sent, in the machine's time. */
  readonly lastSent = new Map<string, number>();
  /** Attempts whose outcome their process does not know yet. */
  onTheWay = 0;
  /** Requests to the platform, by name. */
  readonly requests = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  readonly #seed: number;
  /** Stops all failures, for the end of the history. */
  isWell = false;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The platform, as a process reaches it. */
  pages(): PageSource {
    return {
      open: (_, signal) => ({
        fetch: ({ url }) => this.#answer(decodeURIComponent(url.split('@')[1] ?? ''), url, signal),
        cookie: () => null,
        end: (error) => error,
      }),
      close: async () => undefined,
    };
  }

  /** Sends webhooks to their receivers. */
  sender(): Sender {
    return {
      send: ({ url, body, headers }, signal) =>
        new Promise((resolve, reject) => {
          const { id: job } = JSON.parse(body) as { readonly id: string };
          this.onTheWay += 1;
          this.lastSent.set(job, machine.timeline.now);
          const random = this.#next(`hook ${url}`);
          const arrives = this.isWell || random.chance(0.8);
          const status = this.isWell || random.chance(0.7) ? 204 : random.pick([500, 410, 302]);
          // Some receivers are so slow that much happens in between.
          const slowest = random.pick([400, 8000]);
          const [there, back] = [random.whole(1, slowest), random.whole(1, slowest)];
          const isSilent = !this.isWell && random.chance(0.1);
          const abort = () => {
            this.onTheWay -= 1;
            reject(signal.reason);
          };
          signal.addEventListener('abort', abort, { once: true });
          if (signal.aborted) return abort();
          const settle = (
            ms: number,
            sent: { status: number | null; error: string | null; again: boolean },
          ) =>
            later(ms, () => {
              signal.removeEventListener('abort', abort);
              this.onTheWay -= 1;
              resolve(sent);
            });
          if (!arrives)
            return void settle(there, { status: null, error: 'The connection failed.', again: true });
          // It arrives even if the process that sent it is killed.
          machine.timeline.after(there, () => {
            this.receipts.push({ id: headers['extract-delivery'] ?? '', job, status, at: Date.now() });
          });
          if (isSilent)
            return void settle(15_000, {
              status: null,
              error: 'No response within 15 seconds.',
              again: true,
            });
          const isTaken = status === 204;
          const error = isTaken ? null : `The receiver responded with status ${status}.`;
          return void settle(there + back, { status, error, again: !isTaken && status !== 410 });
        }),
      close: async () => undefined,
    };
  }

  #next(what: string): Random {
    const count = (this.#sent.get(what) ?? 0) + 1;
    this.#sent.set(what, count);
    return new Random(mix(this.#seed, what, count));
  }

  #answer(username: string, url: string, signal: CallSignal | undefined): Promise<Page> {
    const random = this.#next(`page ${username}`);
    this.requests.set(username, (this.requests.get(username) ?? 0) + 1);
    const isDown = !this.isWell && random.chance(0.1);
    const status = isDown ? 503 : username.startsWith('gone') ? 404 : 200;
    const body = Buffer.from(JSON.stringify({ username, seen: random.whole(1, 1e6) }));
    const page = { url, status, headers: {}, body, text: () => body.toString() };
    // Some pages are so slow that they are requested again in the meantime.
    const ms = random.whole(5, random.pick([1500, 1500, 8000]));
    return new Promise((resolve, reject) => {
      const cancel = later(ms, () => resolve(page));
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
