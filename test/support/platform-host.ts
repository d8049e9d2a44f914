import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { casesOf } from '../../lib/samples.js';
import { authority } from './authority.js';
import { fixturesOf } from './fixtures.js';
import { forwardProxy } from './forward-proxy.js';

/**
 * Serves the first sample of an endpoint over TLS under the platform's hosts. Each page is padded with white space up
 * to `bytes`. Returns the settings that send a program's requests to it, and the number of requests.
 */
export async function platformHost(
  t: TestContext,
  folder: string,
  {
    path: endpointPath,
    hosts,
    bytes = 0,
  }: { readonly path: Endpoint['path']; readonly hosts: readonly string[]; readonly bytes?: number },
) {
  const [sample] = await casesOf({ path: endpointPath });
  const file = sample?.pages[0]?.file;
  if (file === undefined) throw new Error(`${endpointPath} has no page`);
  const page = readFileSync(path.join(fixturesOf({ path: endpointPath }), file));
  const body = Buffer.concat([page, Buffer.alloc(Math.max(0, bytes - page.length), ' ')]);
  const trusted = authority(folder);
  let requests = 0;
  const server = createServer(trusted.issue(...hosts), (_, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const proxy = await forwardProxy(t, server.address() as AddressInfo);
  return {
    env: { HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1,localhost', NODE_EXTRA_CA_CERTS: trusted.file },
    requests: () => requests,
  };
}
