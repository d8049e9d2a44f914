import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { openApiDocument } from '../../../src/faces/server/openapi/document.js';
import { callers, queryOf, testServer } from '../../support/server.js';

// Operations outside the table of endpoints: the account, its ledger, jobs and webhooks. The test server itself
// validates answers against the description.
interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly schema: { readonly type?: string; readonly minimum?: number; readonly maximum?: number };
}
interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
}
const { paths } = (await openApiDocument('http://docs.test')) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const server = await testServer();
const { rich, poor, unverified, refused: strangers, keyFor } = await callers(server);
const trial = await server.account();
const limited = await keyFor('photosocial');

const endpoint = endpoints[0] ?? assert.fail();
const input = Object.fromEntries(new URLSearchParams(await queryOf(endpoint)));
const job = { endpoint: endpoint.path, inputs: [input, input], webhook_url: 'https://hooks.example/in' };

async function ask(method: string, url: string, secret: string | null, body?: unknown) {
  const answer = await server.app.inject({
    ...{ method: method as 'GET', url },
    headers: { ...(secret === null ? {} : { authorization: `Bearer ${secret}` }) },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const { error, data } = isJson ? answer.json() : { error: undefined, data: answer.body };
  if (error !== undefined) assert.equal(answer.headers['x-request-id'], error.request_id);
  return { status: answer.statusCode, code: error?.code as string | undefined, data };
}
const post = async (url: string, body: object) => (await ask('POST', url, rich.secret, body)).data;

const { id: jobId } = await post('/v1/jobs', job);
const { schedule } = await post('/v1/jobs', { ...job, schedule: '1d', history: true });
/** What stands for a job and for a schedule in the routes: its ID, a link that revoking ends, and its absence. */
const subjects = {
  job: { id: jobId, link: (await post(`/v1/jobs/${jobId}/links`, { kind: 'table' })).id },
  schedule: { id: schedule, link: (await post(`/v1/schedules/${schedule}/links`, { kind: 'feed' })).id },
};
const subjectOf = (route: string) => (route.startsWith('/schedules') ? 'schedule' : 'job');

/** Everything that a refusal must leave as it was. */
const stateNow = async () =>
  JSON.stringify(
    await Promise.all(
      [rich, trial, poor, unverified].map(async ({ id }) => [
        await server.ledger.balance(id),
        (await server.ledger.usage(id, { limit: 100 })).rows,
        await server.jobs.store.list(id, 100, undefined),
        await server.jobs.webhooks.secrets.state(id),
      ]),
    ),
  );

async function refused(method: string, url: string, secret: string | null, status: number, code: string) {
  const before = await stateNow();
  const answer = await ask(method, url, secret, method === 'POST' && url === '/v1/jobs' ? job : undefined);
  assert.deepEqual([answer.status, answer.code], [status, code], `${method} ${url}`);
  assert.equal(await stateNow(), before);
}

/** Values that a parameter of the query cannot have. */
function wrongValues({ schema: { type, minimum, maximum } }: Parameter): string[] {
  if (type === 'boolean') return ['', 'yes', '1'];
  if (type !== 'integer') return [''];
  return ['', 'one', '1.5', String(Number(minimum) - 1), String(Number(maximum) + 1)];
}

const rows = new Set(endpoints.map(({ path }) => `/${path}`));
const operations = Object.entries(paths)
  .filter(([route]) => !rows.has(route))
  .flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ route, method: method.toUpperCase(), missing: `${subjectOf(route)}_not_found` },
      url: `/v1${route.replace(/\{(id|link)\}/g, (_, name: 'id') => subjects[subjectOf(route)][name])}`,
      success: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      query: (operation.parameters ?? []).filter((one) => one.in === 'query'),
    })),
  );

test('the account, its ledger, jobs and webhooks are operations of the description', () => {
  assert.deepEqual(
    operations.map(({ method, route }) => `${method} ${route}`),
    [
      ...['GET /account', 'GET /keys', 'GET /usage', 'POST /jobs', 'GET /jobs', 'GET /jobs/{id}'],
      ...['POST /jobs/{id}/cancel', 'GET /jobs/{id}/results'],
      ...['GET /jobs/{id}/webhook', 'POST /jobs/{id}/webhook/redeliver', 'GET /schedules'],
      'GET /schedules/{id}',
      ...['POST /schedules/{id}/pause', 'POST /schedules/{id}/resume', 'POST /schedules/{id}/run'],
      ...['GET /schedules/{id}/runs', 'GET /schedules/{id}/changes', 'POST /schedules/{id}/end'],
      ...['GET /webhooks/secret', 'POST /webhooks/secret', 'GET /jobs/{id}/links', 'POST /jobs/{id}/links'],
      ...['POST /jobs/{id}/links/{link}/revoke', 'GET /schedules/{id}/links', 'POST /schedules/{id}/links'],
      'POST /schedules/{id}/links/{link}/revoke',
    ],
  );
});

for (const { method, route, url, query, missing } of operations) {
  describe(`${method} /v1${route}`, () => {
    test('refuses callers without a key, an active one or a confirmed address, demo or not', async () => {
      await refused(method, `${url}?demo=true`, null, 401, 'missing_api_key');
      for (const [secret, status, code] of strangers) await refused(method, url, secret, status, code);
    });

    test('an unknown, an invalid and a repeated parameter are 400', async () => {
      for (const name of ['demo', 'no_such', '__proto__']) {
        await refused(method, `${url}?${name}=true`, rich.secret, 400, 'unknown_parameter');
      }
      for (const parameter of query) {
        const { name } = parameter;
        for (const wrong of wrongValues(parameter)) {
          const code = name === 'cursor' && wrong !== '' ? 'invalid_cursor' : 'invalid_parameter';
          await refused(method, `${url}?${name}=${wrong}`, rich.secret, 400, code);
        }
        await refused(method, `${url}?${name}=1&${name}=1`, rich.secret, 400, 'invalid_parameter');
      }
    });

    if (route.includes('{id}')) {
      test('a job of another account, or an unknown one, is 404', async () => {
        await refused(method, url, trial.secret, 404, missing);
        const none = url.replace(subjects[subjectOf(route)].id, 'job_none');
        await refused(method, none, rich.secret, 404, missing);
      });
    }

    test('a key of another platform and an empty balance only matter for a job', async () => {
      if (route.includes('{id}')) return refused(method, url, poor.secret, 404, missing);
      const isJob = method === 'POST' && route === '/jobs';
      if (isJob) await refused(method, url, poor.secret, 403, 'insufficient_credits');
      else assert.equal((await ask(method, url, poor.secret)).status, 200);
      if (isJob || route === '/webhooks/secret' || route === '/keys')
        await refused(method, url, limited, 403, 'platform_not_allowed');
      else assert.equal((await ask(method, url, limited)).status, 200);
    });
  });
}

test('each answers who may call it', async () => {
  // No run begins over another.
  const conflicts = ['POST /jobs/{id}/webhook/redeliver', 'POST /schedules/{id}/run'];
  for (const { method, route, url, success } of operations) {
    const link = route.endsWith('/links') ? { kind: 'table' } : undefined;
    const body = method === 'POST' && route === '/jobs' ? job : method === 'POST' ? link : undefined;
    // The last of the routes of a job and a schedule, as nothing else changes them here.
    if (/\/(cancel|end)$/.test(route)) continue;
    const { status } = await ask(method, url, rich.secret, body);
    assert.equal(status, conflicts.includes(`${method} ${route}`) ? 409 : success, `${method} ${route}`);
  }
  assert.equal((await post(`/v1/jobs/${jobId}/cancel`, {})).status, 'cancelled');
  assert.equal((await post(`/v1/schedules/${schedule}/end`, {})).status, 'ended');
});
