import assert from 'node:assert/strict';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { expectedAnswers } from './cases.js';
import { testServer } from './server.js';

/** The whole server on a socket, with an account that has bought credits, ready to answer one endpoint's sample. */
export async function listening() {
  const server = await testServer();
  const { secret: apiKey, id } = await server.account({ credits: 50_000 });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile') ?? assert.fail();
  const [sample = assert.fail()] = await casesOf(endpoint);
  await server.serve(endpoint);
  const params = sample.params as { username: string };
  return Object.assign(server, {
    url,
    apiKey,
    id,
    endpoint,
    params,
    answer: expectedAnswers(endpoint, sample)[0],
  });
}
