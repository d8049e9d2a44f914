import { readFileSync } from 'node:fs';
import path from 'node:path';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { Json } from '../../lib/read/json.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { type Case, identityOf } from '../../lib/samples.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { fixturesOf } from './fixtures.js';

export const stoppedClock: Clock = {
  now: () => Date.UTC(2026, 10, 5),
  sleep: async () => undefined,
  alarm: () => () => undefined,
};

/** Returns the pages of data of a case, following the list to its end or for `most` pages. */
export async function pagesOf(
  endpoint: Endpoint,
  one: Case,
  pages: PageSource = routeSource(sampleFiles(endpoint.path), one.pages),
  most = 20,
): Promise<unknown[]> {
  const identity = identityOf(endpoint, one);
  const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
  const data: unknown[] = [];
  let place = firstPosition;
  while (data.length < most) {
    const { answer } = await fetchAnswer({ endpoint, identity, position: place, limit }, pages, stoppedClock);
    data.push(JSON.parse(answer.data));
    if (answer.next === null) break;
    place = { position: answer.next as Json, seen: [...place.seen, ...answer.prints] };
  }
  return data;
}

/** The expected `data` of each page of a case. */
export function expectedAnswers(endpoint: Endpoint, one: Case): unknown[] {
  return (one.expect ?? []).map((file) =>
    JSON.parse(readFileSync(path.join(fixturesOf(endpoint), file), 'utf8')),
  );
}
