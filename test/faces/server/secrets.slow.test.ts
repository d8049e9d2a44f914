import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { readServerConfig } from '../../../src/config/server-config.js';
import { createApp } from '../../../src/faces/server/app.js';
import { Metrics } from '../../../src/faces/server/metrics.js';
import { serverLog } from '../../../src/output/log.js';
import { awaitJob, jobsHarness, until } from '../../service/jobs/harness.js';
import { authority } from '../../support/authority.js';
import { bodyOf, loopback } from '../../support/loopback.js';
import { queryOf, testServer } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { clientOf } from './jobs/jobs-app.js';

const folder = temporaryFolder();
const endpoint = endpoints.find(({ path: one }) => one === 'shortvideo/profile') ?? assert.fail();

/** Every file below a folder, as text that any bytes can be found in. */
function filesOf(home: string): Map<string, string> {
  const names = readdirSync(home, { recursive: true }).map(String);
  const files = names.filter((name) => statSync(path.join(home, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(path.join(home, name)).toString('latin1')]));
}

/** The middle of a secret: its head alone would be half of it. */
const telling = (secret: string) => secret.slice(8, 28);

function assertNowhere(secret: string, texts: Iterable<string>): void {
  for (const text of texts) assert.ok(!text.includes(telling(secret)), text.slice(0, 500));
}

describe('no secret gets out', () => {
  test('of keys, wherever a caller puts one, are absent from answers, errors, log, metrics and files', async () => {
    const server = await testServer({ config: { logLevel: 'debug' } });
    const { secret, id } = await server.account({ credits: 50_000 });
    const other = await server.accounts.createKey({ account: id, name: 'revoked', platforms: null });
    await server.accounts.revokeKey(other.key.id);
    await server.serve(endpoint);
    const query = await queryOf(endpoint);
    const texts: string[] = [];
    for (const key of [secret, other.secret, 'whsec_0123456789abcdefghijklmnopqrstuvwxyz-_0']) {
      const profile = `/v1/shortvideo/profile?${query}`;
      for (const url of [
        ...['', '&demo=true', `&${key}=1`, `&api_key=${key}`].map((more) => `${profile}${more}`),
        `/v1/shortvideo/profile?username=${key}&limit=${key}`,
        `/v1/shortvideo/videos?username=nasa&cursor=${key}`,
        ...['', 'jobs/', 'webhooks/', 'jobs?x=', 'usage?', 'usage?endpoint='].map((at) => `/v1/${at}${key}`),
        ...[`/v1/jobs?${key}=1`, `/v1/jobs/${key}/results?from=${key}`, `/docs/errors/${key}`],
        ...[`/docs/objects/${key}`, '/v1/account', '/v1/keys', '/v1/usage', '/v1/jobs', '/metrics'],
        ...['/v1/webhooks/secret?rotate=true', '/openapi.json'],
      ]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const headers = {
            authorization: `Bearer ${key}`,
            cookie: `session=${key}`,
            'x-forwarded-for': key,
          };
          const answer = await server.app.inject({ method: method as 'GET', url, headers });
          texts.push(JSON.stringify(answer.headers), answer.body);
        }
      }
      const wrong = [
        { endpoint: key, inputs: [{}] },
        { endpoint: endpoint.path, inputs: key },
      ];
      for (const body of [{ [key]: 1 }, ...wrong])
        texts.push((await clientOf(server.app, { secret }).post('/v1/jobs', body)).body);
      const basic = { authorization: `Basic ${key}` };
      texts.push((await server.app.inject({ url: '/v1/account', headers: basic })).body);
      assertNowhere(key, [...texts, ...server.lines]);
      assert.ok(texts.some((text) => text.includes(`${key.startsWith('whsec_') ? 'whsec_' : 'xt_live_'}…`)));
    }
    const files = filesOf(server.home);
    assert.ok(files.size >= 2);
    for (const key of [secret, other.secret]) assertNowhere(key, files.values());
  });

  test('of a running job and a signed webhook are absent from answers, log, metrics, results and files', async (t) => {
    const ca = authority(folder);
    const received: string[] = [];
    const hooks = await loopback(
      t,
      (request, response) => {
        void bodyOf(request).then((body) => {
          received.push(JSON.stringify(request.headers), body);
          response.writeHead(received.length === 2 ? 500 : 204).end();
        });
      },
      ca.issue('hooks.example'),
    );
    const all = await jobsHarness(t, {
      webhookAllow: ['hooks.example'],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      ca: readFileSync(ca.file, 'utf8'),
    });
    const customer = await all.customer();
    const lines: string[] = [];
    const app = createApp({
      ...{ services: all.services, accounts: all.accounts, jobs: all.jobs, usage: all.opened.usage },
      ...{ metrics: new Metrics(), closing: new AbortController().signal },
      config: readServerConfig({ rateLimit: 1_000_000, logLevel: 'debug' }, {}),
      log: serverLog('debug', { write: (line) => lines.push(line) }),
    });
    const { get, post } = clientOf(app, customer);
    const texts: string[] = [];
    // The two answers that show a secret are the only ones that may.
    const secrets = [customer.secret];
    const rotate = async () => secrets.push((await post('/v1/webhooks/secret')).json().data.secret);
    await rotate();
    const job = {
      endpoint: 'maps/harbours',
      inputs: [{ query: 'a' }, { query: 'b' }],
      webhook_url: `https://hooks.example:${hooks.port}/in`,
    };
    const { id } = (await post('/v1/jobs', job)).json().data;
    await awaitJob(all, customer, id);
    await until(() => received.length >= 2);
    await rotate();
    const ofJob = ['', '/results', '/webhook'].map((rest) => `/v1/jobs/${id}${rest}`);
    for (const url of [...ofJob, '/v1/webhooks/secret', '/v1/account', '/v1/usage', '/metrics'])
      texts.push((await get(url)).body);
    for (const act of ['webhook/redeliver', 'cancel']) texts.push((await post(`/v1/jobs/${id}/${act}`)).body);
    texts.push(...lines, ...received, ...all.errors.map(String));
    await all.close();
    const files = filesOf(all.home);
    assert.ok(files.has('results.db'));
    assert.ok(lines.length > 5);
    for (const secret of secrets) {
      assertNowhere(secret, texts);
      for (const [name, text] of files) {
        // A signing secret has to be stored in plain text; only its owner can read the ledger's file.
        const signs = secret !== customer.secret && name.startsWith('ledger.db');
        if (!signs) assertNowhere(secret, [text]);
        assert.equal(statSync(path.join(all.home, name)).mode & 0o077, 0, name);
      }
    }
  });

  test('of shared links, which readers send, are absent from answers, errors, log, metrics and files', async () => {
    const server = await testServer({ config: { logLevel: 'debug' }, pages: true });
    const { secret } = await server.account({ credits: 50_000 });
    const inputs = [Object.fromEntries(new URLSearchParams(await queryOf(endpoint)))];
    const { get, post } = clientOf(server.app, { secret });
    const order = { endpoint: endpoint.path, inputs, schedule: '1d', history: true };
    const { schedule } = (await post('/v1/jobs', order)).json().data;
    const urls: string[] = [];
    for (const kind of ['feed', 'table']) {
      urls.push(...(await post(`/v1/schedules/${schedule}/links`, { kind })).json().data.urls);
    }
    const texts: string[] = [];
    for (const { pathname } of urls.map((url) => new URL(url))) {
      const reply = await server.app.inject({ url: pathname });
      // A feed contains its own address.
      if (reply.statusCode !== 200) texts.push(reply.body);
      for (const url of [
        `${pathname}?a=1`,
        `${pathname}x`,
        `/v1${pathname}`,
        pathname.replace('.', '/'),
        pathname.replace(/^.feeds|^.tables/, (folder) => folder.toUpperCase()),
        pathname.replace('feeds', '%66eeds').replace('tables', 't%61bles'),
        pathname.replace('s/', '/'),
        pathname.replace('s/', 's//'),
        pathname.replace('s/', 's/;'),
        pathname.replace(/^.\w+/, ''),
      ]) {
        for (const accept of ['text/html', '*/*']) {
          const answer = await server.app.inject({ url, headers: { accept } });
          texts.push(JSON.stringify(answer.headers));
          if (answer.statusCode !== 200) texts.push(answer.body);
        }
      }
      texts.push((await server.app.inject({ method: 'DELETE', url: pathname })).body);
    }
    for (const url of [`/v1/schedules/${schedule}/links`, '/v1/usage', '/metrics'])
      texts.push((await get(url)).body);
    assert.ok(server.lines.some((line) => line.includes('/feeds/…')));
    for (const url of urls) {
      const token = path.parse(url).name;
      assert.match(token, /^[\w-]{43}$/);
      assertNowhere(token, [...texts, ...server.lines, ...filesOf(server.home).values()]);
    }
  });
});
