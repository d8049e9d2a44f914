import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'cheerio';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { addHealthMetrics } from '../../../src/faces/server/health-metrics.js';
import { Metrics } from '../../../src/faces/server/metrics.js';
import { unwatched } from '../../../src/service/health/health-report.js';
import { queryOf, testServer } from '../../support/server.js';

const endpoint: Endpoint = endpoints.find(({ path: one }) => one === 'shortvideo/profile') ?? assert.fail();

/** What the case of a refusal asks. */
async function refusedQuery(): Promise<string> {
  const refused =
    (await casesOf(endpoint)).find(({ error }) => error === 'platform_blocked') ?? assert.fail();
  return queryOf(endpoint, refused.params);
}

/** A server of which somebody's calls were refused. */
async function notOk() {
  const server = await testServer({ pages: true });
  const { secret, id } = await server.account({ credits: 1000 });
  await server.serve(endpoint, 'platform_blocked');
  const query = await refusedQuery();
  const ask = () => server.ask(`/v1/${endpoint.path}?${query}`, secret);
  for (let call = 0; call < 3; call += 1) await ask();
  await server.health.tick();
  return { server, secret, id, ask, query };
}

describe('/status', () => {
  test('shows every endpoint without a key, before anything is measured', async () => {
    const server = await testServer();
    const { status, text, headers } = await server.ask('/status');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    const $ = load(text);
    assert.equal($('li.endpoint').length, endpoints.length);
    assert.equal($('.headline').text(), 'There were too few recent calls to know the state.');
    assert.equal($('h1').length, 1);
    assert.equal($('[style], style, script:not([src])').length, 0);
  });

  test('shows a state with its reason, and nothing about callers or queries', async () => {
    const { server, secret, id, query } = await notOk();
    const [page, json] = [await server.ask('/status'), await server.ask('/status.json')];
    const $ = load(page.text);
    assert.equal($('.headline').text(), `1 of ${endpoints.length} endpoints is not OK.`);
    const row = $('li.endpoint').filter((_, one) => $(one).find('h3').text() === endpoint.path);
    assert.equal(row.find('.badge').text(), 'Refused');
    assert.match(row.text(), /100% of the calls of the last hour failed, mostly with platform_blocked\./);
    const { endpoints: rows } = json.body.data as { endpoints: Record<string, unknown>[] };
    const entry = rows.find((one) => one.endpoint === endpoint.path);
    assert.equal(entry?.state, 'refused');
    assert.deepEqual(entry?.last_hour, { answered: 0, not_found: 0, refused: 1, changed: 0, unreachable: 0 });
    assert.ok(Array.isArray(entry?.days) && entry.days.length === 90);
    // Each route that was requested reports its outcome, and no other route does.
    const routes = entry?.routes as { route: string; last_failure: { code: string } | null }[];
    assert.deepEqual(
      routes.map(({ route }) => route),
      endpoint.routes.map(({ name }) => name),
    );
    assert.equal(routes[0]?.last_failure?.code, 'platform_blocked');
    assert.match(row.find('details tr').eq(1).text(), /^pageplatform_blocked, 2026-/);
    const username = new URLSearchParams(query).get('username') ?? assert.fail();
    for (const text of [page.text, json.text]) {
      for (const secretText of [secret, id, username, '@example.com'])
        assert.ok(!text.includes(secretText), secretText);
    }
  });

  test('appears in errors of the platform, and in the documentation', async () => {
    const { server, ask } = await notOk();
    const { body } = await ask();
    assert.equal(body.error.code, 'platform_blocked');
    assert.match(
      body.error.message ?? '',
      /shortvideo\/profile has been refused since 2026-11-05 12:00 UTC: \S+\/status shows more\.$/,
    );
    const docs = await server.ask(`/docs/endpoints/${endpoint.path}`);
    assert.match(load(docs.text)('main').text(), /Status here: refused/);
  });

  test('of an endpoint that is ok does not change errors', async () => {
    const server = await testServer();
    const { secret } = await server.account({ credits: 1000 });
    await server.serve(endpoint, 'platform_blocked');
    const { body } = await server.ask(`/v1/${endpoint.path}?${await refusedQuery()}`, secret);
    assert.doesNotMatch(body.error.message ?? '', /status/);
  });
});

describe('the metrics of endpoints', () => {
  test('say the state, the fields that are missing, and how canaries ended', async () => {
    const metrics = new Metrics();
    const report = {
      ...unwatched.report(endpoint),
      state: 'degraded' as const,
      fallen: [{ field: 'bio_url', usual: 0.6, share: 0.1 }],
    };
    const counts = addHealthMetrics(metrics.registry, { ...unwatched, reports: () => [report] });
    const changed = {
      outcome: 'changed',
      code: 'platform_changed',
      problems: [],
      filled: 0,
      fields: 0,
    } as const;
    const ended = { ...changed, source: '', seconds: 1.5 };
    const routes = [{ ...ended, route: 'page', requests: 1, bytes: 20 }];
    counts.canary(endpoint, { at: 0, ...ended, routes });
    counts.attempt(endpoint, { route: 'embed', surface: 'embed', outcome: 'answered' });
    counts.attempt(endpoint, { route: 'page', surface: 'page', outcome: 'platform_blocked' });
    const text = await metrics.registry.metrics();
    const labels = 'endpoint="shortvideo/profile"';
    for (const line of [
      `extract_endpoint_state{${labels},state="degraded"} 1`,
      `extract_endpoint_state{${labels},state="ok"} 0`,
      `extract_field_missing{${labels},field="bio_url"} 1`,
      `extract_canaries_total{${labels},outcome="changed"} 1`,
      `extract_canary_seconds{${labels}} 1.5`,
      `extract_route_canaries_total{${labels},route="page",outcome="changed"} 1`,
      `extract_route_attempts_total{${labels},route="embed",outcome="answered"} 1`,
      `extract_route_attempts_total{${labels},route="page",outcome="platform_blocked"} 1`,
    ])
      assert.ok(text.includes(line), line);
  });
});
