import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { appOf, type Customer, type JobsHarnessOptions, jobsHarness } from '../../../service/jobs/harness.js';

type App = Pick<ReturnType<typeof appOf>, 'inject'>;
type Headers = Record<string, string>;

/** Requests of the API with a key, in process. */
export const clientOf = (app: App, { secret }: Pick<Customer, 'secret'>) => {
  const authorization = `Bearer ${secret}`;
  return {
    get: (url: string, headers: Headers = {}) => app.inject({ url, headers: { authorization, ...headers } }),
    head: (url: string, headers: Headers = {}) =>
      app.inject({ method: 'HEAD', url, headers: { authorization, ...headers } }),
    /** A body that is neither text nor a stream is sent as JSON. */
    post: (url: string, body?: unknown, headers: Headers = {}) =>
      app.inject({
        ...{ method: 'POST', url },
        headers: {
          authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { payload: typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body) }),
      }),
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
