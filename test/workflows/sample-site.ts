import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Endpoint } from '../../lib/endpoint.js';
import { casesOf } from '../../lib/samples.js';
import { headerValues } from '../../lib/web/headers.js';
import { decodedBody, type Route } from '../../lib/web/routes.js';
import type { Answers, SiteRequest } from '../support/browser-site.js';
import { fixturesOf } from '../support/fixtures.js';

const isAsked = ({ url, pattern, method, requestBody }: Route, request: SiteRequest) =>
  (url === undefined ? new RegExp(pattern ?? '').test(request.url) : url === request.url) &&
  (method ?? 'GET') === request.method &&
  (requestBody === undefined || new RegExp(requestBody).test(decodedBody(request.body)));

/** Serves the recorded pages of the first sample of each endpoint. */
export async function sampleSite(...names: readonly Endpoint['path'][]): Promise<Answers> {
  const recorded = await Promise.all(
    names.map(async (name) => {
      const [sample] = await casesOf({ path: name });
      return (sample?.pages ?? []).map((route) => ({ route, folder: fixturesOf({ path: name }) }));
    }),
  );
  return (request) => {
    const exchange = recorded.flat().find(({ route }) => isAsked(route, request));
    if (exchange === undefined) return undefined;
    const { status = 200, headers = {}, file, body = '' } = exchange.route;
    const [type] = headerValues(headers, 'content-type');
    return {
      status,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      body: file === undefined ? body : readFileSync(path.join(exchange.folder, file), 'latin1'),
    };
  };
}
