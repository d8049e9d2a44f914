import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { expectedAnswers } from './cases.js';
import { type TestServer, testServer } from './server.js';

/** The whole server on a socket, with an account that has bought credits, ready to answer one endpoint's sample. */
export interface Listening extends TestServer {
  readonly url: string;
  readonly apiKey: string;
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly params: { readonly username: string };
  readonly answer: unknown;
}

export async function listening(): Promise<Listening> {
  const server = await testServer();
  const { secret, id } = await server.account({ credits: 50_000 });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile');
  assert.ok(endpoint);
  const [sample] = await casesOf(endpoint);
  assert.ok(sample);
  await server.serve(endpoint);
  return Object.assign(server, {
    url: `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`,
    apiKey: secret,
    id,
    endpoint,
    params: sample.params as { username: string },
    answer: expectedAnswers(endpoint, sample)[0],
  });
}
