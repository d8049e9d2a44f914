import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { readConfig } from '../../../lib/config.js';
import {
  appOf,
  type JobsHarness,
  type JobsHarnessOptions,
  jobsHarness,
  rows,
} from '../../service/jobs/harness.js';
import { dataOf, errorOf, extract } from '../../support/cli.js';

/** A server with a customer, and the command line that is set to ask it. Its homes lie in `folder`. */
export async function jobsServer(t: TestContext, folder: string, options: JobsHarnessOptions = {}) {
  const all: JobsHarness = await jobsHarness(t, options);
  const customer = await all.customer();
  const app = appOf(all);
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const config = {
    ...readConfig({ home: mkdtempSync(path.join(folder, 'home-')) }, {}),
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: customer.secret,
  };
  const surroundings = (stdin = '') => ({ endpoints: rows, extractor: { config }, stdin });
  return {
    ...all,
    ...{ all, customer },
    run: (args: readonly string[], stdin?: string) => extract(args, surroundings(stdin)),
    /** The data of a command that succeeds. */
    data: (args: readonly string[], stdin?: string) => dataOf(args, surroundings(stdin)),
    /** The code of a command that is refused with a status. */
    code: async (args: readonly string[], status: number, stdin?: string) =>
      (await errorOf(args, status, surroundings(stdin))).code,
  };
}
