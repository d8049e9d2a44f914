import { readFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { headerValues } from '../../lib/web/headers.js';
import { decodedBody, type Route } from '../../lib/web/routes.js';
import type { Answers, SiteRequest } from './browser-site.js';
import { fixturesOf } from './fixtures.js';

const isAsked = ({ url, pattern, method, requestBody }: Route, request: SiteRequest) =>
  (url === undefined ? new RegExp(pattern ?? '').test(request.url) : url === request.url) &&
  (method ?? 'GET') === request.method &&
  (requestBody === undefined || new RegExp(requestBody).test(decodedBody(request.body)));

/** Serves the recorded pages of each endpoint's first cases; `cases` is their number by endpoint. */
export async function fixtureSite(cases: Readonly<Record<string, number>>): Promise<Answers> {
  const recorded: { readonly route: Route; readonly folder: string }[] = [];
  for (const [name, count] of Object.entries(cases)) {
    const endpoint = endpoints.find((one) => one.path === name);
    if (endpoint === undefined) throw new Error(`There is no endpoint ${name}.`);
    const folder = fixturesOf(endpoint);
    for (const { pages } of (await casesOf(endpoint)).slice(0, count)) {
      recorded.push(...pages.map((route) => ({ route, folder })));
    }
  }
  return (request) => {
    const exchange = recorded.find(({ route }) => isAsked(route, request));
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
