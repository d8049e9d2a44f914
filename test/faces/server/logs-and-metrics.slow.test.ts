import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { Metrics } from '../../../src/faces/server/metrics.js';
import { queryOf, type TestServer, testServer } from '../../support/server.js';

const endpoint = endpoints.find(({ path: one }) => one === 'shortvideo/profile') as Endpoint;

async function metricsOf(server: TestServer): Promise<(name: string, labels?: string) => number | undefined> {
  const { body } = await server.app.inject({ url: '/metrics' });
  return (name, labels = '') => {
    const line = body.split('\n').find((one) => one.startsWith(`${name}${labels} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
}

describe('metrics', () => {
  test('count answers by their source, credits, refusals and the time of reading', async () => {
    const server = await testServer();
    const { secret } = await server.account({ credits: 50_000 });
    await server.serve(endpoint);
    const url = `/v1/shortvideo/profile?${await queryOf(endpoint)}`;
    for (const one of [url, url, url, `${url}&demo=true`, `${url}&x=1`]) await server.ask(one, secret);
    await server.ask('/nothing');
    await server.ask(url);
    const value = await metricsOf(server);
    const source = (name: string) =>
      value('extract_answers_total', `{endpoint="shortvideo/profile",source="${name}"}`);
    assert.deepEqual([source('fetch'), source('cache'), source('demo')], [1, 2, 1]);
    assert.equal(value('extract_credits_charged_total', '{endpoint="shortvideo/profile"}'), 9);
    const refused = (path: string, code: string) =>
      value('extract_refusals_total', `{endpoint="${path}",code="${code}"}`);
    assert.equal(refused('shortvideo/profile', 'unknown_parameter'), 1);
    assert.equal(refused('shortvideo/profile', 'missing_api_key'), 1);
    assert.equal(refused('', 'endpoint_not_found'), 1);
    assert.equal(value('extract_read_seconds_count', '{endpoint="shortvideo/profile"}'), 2);
    // What was counted is not counted again when somebody looks again.
    assert.equal(
      (await metricsOf(server))('extract_credits_charged_total', '{endpoint="shortvideo/profile"}'),
      9,
    );
  });

  test('count the items of lists, and have every field of every endpoint from the start', async () => {
    const metrics = new Metrics();
    const list = endpoints.find(({ path: one }) => one === 'shortvideo/videos') ?? assert.fail();
    const videos = [null, null, 'x'].map((play_url, id) => ({ id: String(id), play_url }));
    metrics.countFields(list, videos);
    metrics.countFields(list, []);
    const text = await metrics.registry.metrics();
    assert.match(text, /extract_items_total\{endpoint="shortvideo\/videos"\} 3/);
    assert.match(text, /extract_null_fields_total\{endpoint="shortvideo\/videos",field="play_url"\} 2/);
    assert.match(text, /extract_null_fields_total\{endpoint="shortvideo\/videos",field="id"\} 0/);
    for (const { path: one, returns } of endpoints) {
      for (const field of Object.keys((returns as unknown as { shape: object }).shape)) {
        assert.ok(text.includes(`endpoint="${one}",field="${field}"`), `${one} ${field}`);
      }
    }
  });
});

describe('the log', () => {
  const logged = (server: TestServer) => server.lines.map((line) => JSON.parse(line));

  test('logs refusals with code, path and time, under the request’s id', async () => {
    const server = await testServer();
    const { body } = await server.ask('/v1/maps/place?place_id=secret-question');
    const [line, ...rest] = logged(server);
    assert.deepEqual(rest, []);
    const { time, ms, ...entry } = line;
    assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'as people read it');
    assert.equal(typeof ms, 'number');
    assert.deepEqual(entry, {
      ...{ level: 30, request_id: body.error.request_id, method: 'GET', path: '/v1/maps/place' },
      ...{ status: 401, code: 'missing_api_key', msg: 'refused' },
    });
  });

  test('logs a platform’s refusal as a warning, and an internal fault with its cause', async () => {
    const server = await testServer();
    const { secret } = await server.account();
    const url = `/v1/shortvideo/profile?${await queryOf(endpoint)}`;
    const fail = (error: Error) => {
      server.pages = {
        close: async () => undefined,
        open: () =>
          ({ fetch: () => Promise.reject(error), cookie: () => undefined, end: () => undefined }) as never,
      };
      return server.ask(url, secret);
    };
    assert.equal((await fail(new ExtractError('platform_blocked', 'A captcha.'))).status, 502);
    const broken = await fail(new TypeError('cannot read what is not there'));
    assert.equal(broken.status, 500);
    assert.ok(!broken.text.includes('cannot read'), 'what is inside stays inside');
    const [warned, failed] = logged(server);
    assert.deepEqual([warned.level, warned.code], [40, 'platform_blocked']);
    assert.match(warned.msg, /^A captcha\. Wait a few minutes/);
    assert.deepEqual([failed.level, failed.code], [50, 'internal_error']);
    assert.match(failed.err.stack, /cannot read what is not there/);
  });
});
