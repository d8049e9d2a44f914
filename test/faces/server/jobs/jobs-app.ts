import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { appOf, type Customer, type JobsHarnessOptions, jobsHarness } from '../../../service/jobs/harness.js';

type App = Pick<ReturnType<typeof appOf>, 'inject'>;
type Headers = Record<string, string>;

/** Requests of the API with a key, in process. */
export const clientOf = (app: App, { secret }: Pick<Customer, 'secret'>) => {
  const authorization = `Bearer ${secret}`;
  const ask = (method: 'GET' | 'HEAD' | 'POST', url: string, headers: Headers, more: object = {}) =>
    app.inject({ method, url, headers: { authorization, ...headers }, ...more });
  return {
    get: (url: string, headers: Headers = {}) => ask('GET', url, headers),
    head: (url: string, headers: Headers = {}) => ask('HEAD', url, headers),
    /** A body that is neither text nor a stream is sent as JSON. */
    post(url: string, body?: unknown, headers: Headers = {}) {
      if (body === undefined) return ask('POST', url, headers);
      const payload = typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body);
      return ask('POST', url, { 'content-type': 'application/json', ...headers }, { payload });
    },
  };
};

/** The server app over jobs, with a customer and their client. */
export async function jobsApp(
  t: TestContext,
  { credits, ...options }: JobsHarnessOptions & { readonly credits?: number } = {},
) {
  const all = await jobsHarness(t, options);
  const customer = await all.customer(credits);
  const app = appOf(all);
  return { all, customer, app, ...clientOf(app, customer) };
}

export const codeOf = (answer: { json(): unknown }) =>
  (answer.json() as { error?: { code: string } }).error?.code;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly meta: { readonly next_cursor: string | null };
}

export const idsOf = ({ data }: Pick<Page, 'data'>) => data.map(({ id }) => id);

/** The IDs of a list, read page by page, and the address of its last page. */
export async function idsInPages(get: (url: string) => Promise<{ json(): Page }>, url: string) {
  const listed: string[] = [];
  let last = url;
  for (;;) {
    const page = (await get(last)).json();
    listed.push(...idsOf(page));
    if (page.meta.next_cursor === null) return { listed, last };
    last = `${url}&cursor=${page.meta.next_cursor}`;
  }
}

export const refusalOf = (answer: { statusCode: number; json(): unknown }) => [
  answer.statusCode,
  codeOf(answer),
];
