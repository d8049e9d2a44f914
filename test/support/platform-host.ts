import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { casesOf } from '../../lib/samples.js';
import { browserSite } from './browser-site.js';
import { fixturesOf } from './fixtures.js';

/**
 * Serves the first sample of an endpoint over TLS under the platforms' hosts. Each page is padded with white space up
 * to `bytes`. Returns the settings that send a program's requests to it, and the number of requests.
 */
export async function platformHost(t: TestContext, folder: string, endpoint: Endpoint['path'], bytes = 0) {
  const [sample] = await casesOf({ path: endpoint });
  const file = sample?.pages[0]?.file;
  if (file === undefined) throw new Error(`${endpoint} has no page`);
  const page = readFileSync(path.join(fixturesOf({ path: endpoint }), file), 'latin1').padEnd(bytes);
  const { env, requests } = await browserSite(t, folder, () => ({ body: page }));
  const { HTTPS_PROXY = '', NO_PROXY = '', NODE_EXTRA_CA_CERTS = '' } = env;
  return { env: { HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS }, requests: () => requests.length };
}
