import assert from 'node:assert/strict';
import type http from 'node:http';
import { after, describe, test } from 'node:test';
import { type Config, readConfig } from '../../lib/config.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { ApiClient } from '../../lib/remote/api-client.js';
import { openRemote } from '../../lib/remote/remote.js';
import { remoteLedger } from '../../lib/remote/remote-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { casesOf } from '../../lib/samples.js';
import { at, chargeOf, ledgerReadingPort, refusal } from '../ledger/ledger-port.js';
import { FakeClock } from '../support/fake-clock.js';
import { listening } from '../support/listening.js';
import { loopback } from '../support/loopback.js';
import { testServer } from '../support/server.js';
import {
  describeAnswers,
  goodAnswer,
  limitedAnswer,
  refusalOf,
  type ScriptedAnswer,
} from '../support/server-answers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const server = await listening();
const { apiKey, id, endpoint, params } = server;
const baseUrl = `${server.url}/v1`;

const closing: { close(): Promise<void> }[] = [];
after(() => Promise.all(closing.map((one) => one.close())));

function extractor(config: Partial<Config> = {}) {
  const extractor = createExtractor({ home: folder, baseUrl, apiKey, ...config });
  closing.push(extractor);
  return extractor;
}

/** A server that answers what a test says; the requests it got. */
async function scripted(...answers: ScriptedAnswer[]) {
  const requests: { url: string; headers: http.IncomingHttpHeaders }[] = [];
  const { origin: url } = await loopback({ after }, (request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    const at = Math.min(requests.length, answers.length) - 1;
    const { status, headers = {}, body = '' } = answers[at] ?? { status: 500 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const clock = new FakeClock();
  const config = readConfig({ home: folder, apiKey: 'xt_live_key' }, {});
  const remote = openRemote({ ...config, baseUrl: url }, clock);
  closing.push(remote);
  return { requests, clock, remote, url };
}

describe('a library that asks a server', () => {
  test('answers what the server answers: data, meta, and on whose account', async () => {
    const { data, meta } = await extractor().getShortvideoProfile(params);
    assert.deepEqual(data, server.answer);
    const [row] = (await server.ledger.usage(id, { limit: 1 })).rows;
    assert.equal(row?.id, meta.request_id);
    const { credits } = await server.ledger.balance(id);
    assert.deepEqual([meta.credits_charged, meta.credits_remaining], [3, credits]);
    const keyless = extractor({ apiKey: undefined }).getShortvideoProfile({ ...params, demo: true });
    assert.deepEqual((await keyless).meta.credits_charged, 0);
  });

  test('fails with the server’s error: code, message, request id and docs', async () => {
    const wrong = extractor({ apiKey: `${apiKey.slice(0, -1)}!` });
    const error = await refusalOf(wrong.getShortvideoProfile(params));
    assert.deepEqual([error.code, error.type, error.status], ['invalid_api_key', 'authentication', 401]);
    assert.match(error.requestId, /^req_/);
    assert.equal(error.docs, 'http://docs.test/docs/errors/invalid_api_key');
    const missing = (await casesOf(endpoint)).find(({ error: code }) => code === 'profile_not_found');
    await server.serve(endpoint, missing?.name);
    const missingError = await refusalOf(extractor().run(endpoint, missing?.params as never));
    assert.equal(missingError.code, 'profile_not_found');
    const [row] = (await server.ledger.usage(id, { limit: 1 })).rows;
    assert.deepEqual([row?.id, row?.error_code], [missingError.requestId, 'profile_not_found']);
    assert.equal(row?.credits_refunded, 3);
  });

  test('refuses wrong parameters before it asks, as it would without a server', async () => {
    const { requests, remote } = await scripted({ status: 200, body: goodAnswer });
    const error = await refusalOf(remote.answer(endpoint, { username: 'a', limit: 3 }));
    assert.equal(error.code, 'unknown_parameter');
    assert.match(error.requestId, /^req_/);
    assert.equal((await refusalOf(remote.answer(endpoint, { username: 5 }))).code, 'invalid_parameter');
    assert.deepEqual(requests, []);
  });

  test('has the ledger of the server, with the account of its key', async () => {
    const ledger = await extractor().ledger();
    const { credits, bought, account } = await ledger.balance('local');
    assert.deepEqual([account, credits, bought], [id, (await server.ledger.balance(id)).credits, true]);
  });

  test('reads here where pages are saved or replayed', async () => {
    const local = extractor({ fromPages: folder, baseUrl: 'http://127.0.0.1:9' });
    const error = await refusalOf(local.getShortvideoProfile(params));
    assert.doesNotMatch(error.message, /server at/i);
  });
});

describe('requests to the server', () => {
  test('has the parameters as passed, with sources, and the key only in its header', async () => {
    const { requests, remote, url } = await scripted({ status: 200, body: goodAnswer });
    const search = endpoints.find(({ path }) => path === 'shortvideo/search') ?? assert.fail();
    const question = { query: 'née & co', limit: 5, fresh: true, demo: undefined };
    const { json, meta } = await remote.answer(search, question);
    assert.deepEqual([json, meta.request_id], ['{"a":1}', 'req_1']);
    const sent = new URL(requests[0]?.url ?? '', url);
    assert.equal(sent.pathname, '/v1/shortvideo/search');
    assert.equal(sent.search, '?query=n%C3%A9e+%26+co&limit=5&fresh=true&sources=true');
    assert.equal(requests[0]?.headers.authorization, 'Bearer xt_live_key');
    assert.match(String(requests[0]?.headers['user-agent']), /^Mozilla\/5\.0 \(compatible; public-extract\//);
  });
});

describeAnswers(async (...answers) => {
  const { remote, ...rest } = await scripted(...answers);
  return { ...rest, call: () => remote.answer(endpoint, params) };
});

describe('a server that asks to wait without a time', () => {
  test('is retried after a second, and a wait can be aborted', async () => {
    const { clock, remote } = await scripted({ status: 429, body: limitedAnswer });
    const giving = new AbortController();
    const answering = remote.answer(endpoint, params, { signal: giving.signal });
    await clock.untilSleeping(1);
    assert.deepEqual(clock.slept, [1000]);
    giving.abort(new Error('enough'));
    await assert.rejects(answering, /enough/);
  });
});

describe('what is not such a server', () => {
  test('an error code of a later version is passed on', async () => {
    const { remote } = await scripted({ status: 418, body: limitedAnswer.replace('rate_limited', 'teapot') });
    const error = await refusalOf(remote.answer(endpoint, params));
    assert.deepEqual([error.code, error.message], ['internal_error', 'teapot: Slowly.']);
  });

  test('an unreachable server is reported with the reason, without the key', async () => {
    const nowhere = extractor({ baseUrl: 'http://127.0.0.1:9/v1' });
    const error = await refusalOf(nowhere.getShortvideoProfile(params));
    assert.equal(error.code, 'platform_unavailable');
    assert.match(error.message, /http:\/\/127\.0\.0\.1:9 could not be reached.*ECONNREFUSED/);
    assert.ok(!JSON.stringify(error).includes(apiKey));
  });

  test('an answer that breaks off or never ends is let go', async () => {
    const headers = { 'content-length': String(200 * 1024 * 1024) };
    const { remote } = await scripted({ status: 200, headers, body: 'x' });
    const { code } = await refusalOf(remote.answer(endpoint, params));
    assert.match(code, /^platform_(changed|unavailable)$/);
  });
});

/** A server with one account that has bought a pack, and the ledger that its key shows. */
async function served() {
  const server = await testServer();
  const { id, secret } = await server.account();
  // In addition to the trial of a confirmed address.
  await server.ledger.grant({ id: 'pack', account: id, credits: 49_500, kind: 'pack', at });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const client = new ApiClient({
    ...{ baseUrl: `${address}/v1`, apiKey: secret, userAgent: 'test/1', proxy: {} },
    ...{ timeouts: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 }, clock: systemClock },
  });
  return { server, id, client, remote: remoteLedger(client) };
}

/** Reads through the server's API; writes as the server does, into its own ledger. */
ledgerReadingPort('the ledger of a server', async (): Promise<Ledger> => {
  const { server, id, client, remote } = await served();
  const { ledger } = server;
  const accountOf = (account: string) => (account === 'local' ? id : account);
  return {
    balance: () => remote.balance(),
    usage: (account, query) => remote.usage(account, query),
    charge: (charge) => ledger.charge({ ...charge, account: accountOf(charge.account) }),
    pay: (charge) => ledger.pay({ ...charge, account: accountOf(charge.account) }),
    settle: (call, ending) => ledger.settle(call, ending),
    refund: (call) => ledger.refund(call),
    grant: (grant) => ledger.grant({ ...grant, account: accountOf(grant.account) }),
    checkWritable: () => ledger.checkWritable(),
    async close() {
      await remote.close();
      await client.close();
    },
  };
});

test('the ledger of a server refuses every change, and says who makes it', async () => {
  const { client, remote } = await served();
  const readOnly = refusal('invalid_parameter', /buy credits there; it charges its own calls/);
  for (const change of ['charge', 'pay', 'settle', 'refund', 'grant', 'checkWritable'] as const)
    await assert.rejects(remote[change](), readOnly, change);
  const ledger: Ledger = remote;
  await assert.rejects(ledger.charge(chargeOf('a')), readOnly);
  await client.close();
});
