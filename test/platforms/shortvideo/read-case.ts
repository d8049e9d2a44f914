import type { Endpoint } from '../../../lib/endpoint.js';
import type { Json } from '../../../lib/read/json.js';
import type { ReadResult } from '../../../lib/routes/reading.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf, identityOf } from '../../../lib/samples.js';
import type { PageRequest } from '../../../lib/web/page-source.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

interface ReadCaseOptions {
  readonly limit?: number;
  readonly position?: Json;
  readonly refusedLately?: readonly string[];
  /** Routes that take precedence over the case's. */
  readonly before?: readonly Route[];
}

/** One reading of a case as the endpoint itself gives it, and every request that it made. */
export async function readCase<Data>(
  row: unknown,
  name: string,
  { limit, position = null, before = [], refusedLately = [] }: ReadCaseOptions = {},
) {
  const endpoint = row as Endpoint;
  const one = (await casesOf(endpoint)).find((each) => each.name === name);
  if (one === undefined) throw new Error(`${endpoint.path} has no case ${name}`);
  const source = routeSource(sampleFiles(endpoint.path), [...before, ...one.pages]);
  const session = source.open(endpoint.site);
  const requests: PageRequest[] = [];
  const reading = await endpoint.read({
    identity: identityOf(endpoint, one),
    limit: limit ?? endpoint.page?.max ?? 1,
    position,
    refusedLately,
    session: {
      ...session,
      fetch(request) {
        requests.push(request);
        return session.fetch(request);
      },
    },
  });
  const urls = requests.map(({ url }) => url.replace('https://www.tiktok.com', ''));
  return { ...(reading as ReadResult<Data>), requests, urls };
}
