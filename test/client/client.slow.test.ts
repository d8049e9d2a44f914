import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Client,
  type ClientOptions,
  createClient,
  type ExtractError,
  paginate,
} from '../../lib/client/index.js';
import { paths } from '../../lib/client/paths.js';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { expectedAnswers } from '../support/cases.js';
import { FakeClock } from '../support/fake-clock.js';
import { listening } from '../support/listening.js';
import { describeAnswers, goodAnswer, refusalOf, type ScriptedAnswer } from '../support/server-answers.js';

const server = await listening();
const { url, apiKey, params } = server;
const client = createClient({ baseUrl: url, apiKey });

/**
 * A `fetch` that answers what a test says, in turn, the last again and again. What is thrown is a broken connection.
 */
function scripted(...answers: (Error | ScriptedAnswer)[]) {
  const requests: Parameters<NonNullable<ClientOptions['fetch']>>[] = [];
  const clock = new FakeClock();
  const fetch: ClientOptions['fetch'] = async (...call) => {
    requests.push(call);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === undefined || answer instanceof Error) throw answer;
    const { body = null, status, headers = {} } = answer;
    return new Response(body, { status, headers });
  };
  const client = createClient({ baseUrl: 'https://extract.test', apiKey: 'xt_live_key', fetch, clock });
  return { requests, clock, client };
}

const broken = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

/** What Deno throws. */
const sending =
  'error sending request for url (https://extract.test/): client error (Connect): tcp connect error';
const deno = new TypeError('fetch failed', { cause: new Error(sending) });

describe('a client of a server', () => {
  test('returns the server’s answer, charged to the account of its key', async () => {
    const { data, meta } = await client.getShortvideoProfile(params);
    assert.deepEqual(data, server.answer);
    const [row] = (await server.ledger.usage(server.id, { limit: 1 })).rows;
    assert.equal(row?.id, meta.request_id);
    assert.equal(meta.credits_charged, 3);
  });

  test('has every function of the library, and answers the sample of each without a key', async () => {
    const keyless = createClient({ baseUrl: `${url}/v1/` });
    assert.deepEqual(Object.keys(keyless), Object.keys(paths));
    assert.equal(Object.keys(keyless).length, endpoints.length);
    for (const [name, path] of Object.entries(paths) as [keyof Client, string][]) {
      const endpoint = endpoints.find((one) => one.path === path);
      const [sample] = endpoint ? await casesOf(endpoint) : [];
      assert.ok(endpoint && sample);
      const { data, meta } = await keyless[name]({ ...sample.params, demo: true } as never);
      assert.deepEqual(data, expectedAnswers(endpoint, sample)[0], path);
      assert.equal(meta.credits_charged, 0);
    }
  });

  test('returns the requested sources', async () => {
    const params = { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4', demo: true, limit: 2, sources: true };
    const { data, sources } = await client.getPlaceReviews(params);
    assert.equal(sources?.length, data.length);
    assert.equal((await client.getPlaceReviews({ ...params, sources: false })).sources, undefined);
  });

  test('returns the pages of a listing', async () => {
    const params = { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4', demo: true, limit: 2 };
    const requestIds: string[] = [];
    for await (const { data, meta } of paginate(client.getPlaceReviews, params)) {
      assert.ok(data.length <= 2);
      requestIds.push(meta.request_id);
      if (requestIds.length === 3) break;
    }
    assert.equal(new Set(requestIds).size, requestIds.length);
    assert.ok(requestIds.length > 1);
  });

  test('fails with the server’s error: code, type, message, docs and request id', async () => {
    const missing = (await casesOf(server.endpoint)).find(({ error }) => error === 'profile_not_found');
    await server.serve(server.endpoint, missing?.name);
    const missingError = await refusalOf(client.getShortvideoProfile(missing?.params as never));
    const { code, type, status, docs } = missingError;
    assert.deepEqual([code, type, status], ['profile_not_found', 'not_found', 404]);
    assert.equal(docs, 'http://docs.test/docs/errors/profile_not_found');
    const [row] = (await server.ledger.usage(server.id, { limit: 1 })).rows;
    assert.deepEqual([row?.id, row?.credits_refunded], [missingError.requestId, 3]);
    await server.serve(server.endpoint);
    const other = createClient({ baseUrl: url, apiKey: 'xt_live_other' });
    assert.equal((await refusalOf(other.getShortvideoProfile(params))).code, 'invalid_api_key');
    assert.equal((await refusalOf(client.getShortvideoProfile({} as never))).code, 'missing_parameter');
  });

  test('is aborted with the signal’s reason, before it is sent and while it waits', async () => {
    const reason = new Error('enough');
    await assert.rejects(client.getShortvideoProfile(params, { signal: AbortSignal.abort(reason) }), reason);
    const giving = new AbortController();
    const fetch: ClientOptions['fetch'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        giving.abort(reason);
      });
    const waiting = createClient({ baseUrl: url, fetch });
    await assert.rejects(waiting.getShortvideoProfile(params, { signal: giving.signal }), reason);
  });
});

describe('requests to the server', () => {
  test('is the question, with the key in its header and nowhere else, and no redirect is followed', async () => {
    const { requests, client: scriptedClient } = scripted({ status: 200, body: goodAnswer });
    const question = { query: 'née & co', limit: 5, demo: undefined };
    const { data } = await scriptedClient.searchShortvideoVideos(question);
    assert.deepEqual(data, { a: 1 });
    const [address = '', request] = requests[0] ?? [];
    assert.equal(address, 'https://extract.test/v1/shortvideo/search?query=n%C3%A9e+%26+co&limit=5');
    assert.deepEqual([request?.method, request?.redirect], ['GET', 'manual']);
    assert.deepEqual(request?.headers, { accept: 'application/json', authorization: 'Bearer xt_live_key' });
  });

  test('an invalid request is refused before it is sent', async () => {
    const { requests, client: scriptedClient } = scripted({ status: 200, body: goodAnswer });
    const error = await refusalOf(scriptedClient.getPlace({ place_id: ['a'] } as never));
    assert.deepEqual([error.code, requests.length], ['invalid_parameter', 0]);
    assert.equal(error.docs, 'https://extract.test/docs/errors/invalid_parameter');
    const urls = ['extract.test', 'https://ann:secret@extract.test'].map((baseUrl) => ({ baseUrl }));
    for (const wrong of [...urls, { baseUrl: 'https://extract.test', apiKey: 'secret\n' }])
      assert.throws(
        () => createClient(wrong),
        (thrown: ExtractError) => {
          assert.equal(thrown.code, 'invalid_parameter');
          return /baseUrl|apiKey/.test(thrown.message) && !/secret/.test(thrown.message);
        },
      );
  });
});

describeAnswers(async (...answers) => {
  const { client: scriptedClient, ...rest } = scripted(...answers);
  return { ...rest, url: 'https://extract.test', call: () => scriptedClient.getShortvideoProfile(params) };
});

describe('a connection', () => {
  test('that was never established is tried three times', async () => {
    const first = scripted(broken('ECONNREFUSED'), deno, { status: 200, body: goodAnswer });
    await first.clock.passing(first.client.getShortvideoProfile(params));
    assert.equal(first.requests.length, 3);
    const never = scripted(broken('ECONNREFUSED'));
    const error = await refusalOf(never.clock.passing(never.client.getShortvideoProfile(params)));
    assert.deepEqual([error.code, never.requests.length], ['platform_unavailable', 3]);
    assert.match(error.message, /https:\/\/extract\.test could not be reached.*ECONNREFUSED/);
  });

  test('that broke is only retried for free requests, because a call may have been charged', async () => {
    const good = { status: 200, body: goodAnswer };
    const paid = scripted(broken('ECONNRESET'), good);
    assert.equal((await refusalOf(paid.client.getShortvideoProfile(params))).code, 'platform_unavailable');
    assert.equal(paid.requests.length, 1);
    await paid.clock.passing(paid.client.getShortvideoProfile({ ...params, demo: true }));
    assert.equal(paid.requests.length, 2);
    const demo = scripted(broken('ECONNRESET'), good);
    await demo.clock.passing(demo.client.getShortvideoProfile({ ...params, demo: true }));
    assert.equal(demo.requests.length, 2);
  });

  test('without a response times out', async () => {
    const clock = new FakeClock();
    const fetch: ClientOptions['fetch'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('some runtimes say this')));
      });
    const silent = createClient({ baseUrl: url, apiKey, fetch, clock, timeoutMs: 5000 });
    const answering = refusalOf(silent.getShortvideoProfile(params));
    await clock.untilSleeping(1);
    await clock.advance(5000);
    const error = await answering;
    assert.deepEqual([error.code, clock.sleeping], ['platform_timeout', 0]);
    assert.match(error.message, /within 5000 ms/);
  });
});

test('an error without the contract’s object links to the page on the requested server', async () => {
  const { client: scriptedClient } = scripted({ status: 200, body: '<html>' });
  const { docs } = await refusalOf(scriptedClient.getShortvideoProfile(params));
  assert.equal(docs, 'https://extract.test/docs/errors/platform_unavailable');
});
