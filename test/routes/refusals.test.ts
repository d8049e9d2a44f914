import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { PageItemSource } from '../../lib/read/item-source.js';
import { at, type Json } from '../../lib/read/json.js';
import type { RouteFacts } from '../../lib/routes/route.js';
import type { SubjectFacts } from '../../lib/routes/rung.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { type Case, casesOf, identityOf } from '../../lib/samples.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { stoppedClock } from '../support/cases.js';
import { namedRefusals } from './named-refusals.js';

/** A subject of a fixture: an item of its answer, with its place on the platform, and the way to the next part. */
async function knownOf(endpoint: Endpoint, one: Case): Promise<SubjectFacts | null> {
  const source = routeSource(sampleFiles(endpoint.path), one.pages);
  const limit = endpoint.page?.max ?? 1;
  const request = { endpoint, identity: identityOf(endpoint, one), position: firstPosition, limit };
  const { answer } = await fetchAnswer(request, source, stoppedClock);
  const [data, sources] = [JSON.parse(answer.data), JSON.parse(answer.sources ?? '[]') as PageItemSource[]];
  const item = endpoint.many ? data[0] : data;
  const next = at(answer.next, 'at') as Json;
  return item === undefined || sources[0] === undefined ? null : { item, source: sources[0], next };
}

/** Uses a route alone where every request is answered by one response; null if it has nothing to ask for. */
function ask(endpoint: Endpoint, route: string, { one, known }: Subject, response: Partial<Route>) {
  const source = routeSource(path.join(packageRoot(), 'fixtures'), [{ pattern: '.', ...response }]);
  const identity = identityOf(endpoint, one);
  const context = { identity, limit: 1, position: null, session: source.open(endpoint.site) };
  return endpoint.readAlone?.(route, context, known) ?? assert.fail();
}

interface Subject {
  readonly one: Case;
  readonly known: SubjectFacts;
}

/** The first fixture that a route has something to ask for. */
async function subjectFor(endpoint: Endpoint, { name, applies }: RouteFacts): Promise<Subject> {
  for (const one of await casesOf(endpoint)) {
    if (one.expect === undefined || applies?.(identityOf(endpoint, one) as never) === false) continue;
    const known = await knownOf(endpoint, one);
    if (known === null) continue;
    const outcome = ask(endpoint, name, { one, known }, { status: 403 });
    if ((await outcome.catch(() => undefined)) !== null) return { one, known };
  }
  return assert.fail(`${endpoint.path} ${name}`);
}

/** The name by which a page refers to what a route is asked for. */
function nameOf(endpoint: Endpoint, route: RouteFacts, { one, known }: Subject): string {
  if (endpoint.roles[route.name] === 'item') return String(known.source.id);
  const { username, shortcode, id, tag } = identityOf(endpoint, one);
  return String(username ?? shortcode ?? id ?? tag);
}

for (const endpoint of endpoints) {
  describe(`the routes of ${endpoint.path} tell each refusal that is named`, async () => {
    for (const route of endpoint.routes) {
      const refusals = namedRefusals[`${endpoint.path} ${route.name}`];
      test(`${route.name}: has some`, () => assert.ok(refusals !== undefined));
      const subject = await subjectFor(endpoint, route);
      for (const [name, { code, page }] of Object.entries(refusals ?? {})) {
        test(`${route.name}: ${name} is ${code}`, async () => {
          const response = typeof page === 'function' ? page(nameOf(endpoint, route, subject)) : page;
          const outcome = await ask(endpoint, route.name, subject, response).catch((error: unknown) => error);
          assert.equal(outcome instanceof ExtractError ? outcome.code : JSON.stringify(outcome), code);
        });
      }
    }
  });
}

test('every route whose refusals are named is in a ladder', () => {
  const all = endpoints.flatMap(({ path, routes }) => routes.map(({ name }) => `${path} ${name}`));
  assert.deepEqual(
    Object.keys(namedRefusals).filter((name) => !all.includes(name)),
    [],
  );
});
