// The five workflows, each from the place where its people work: a chat, a browser, a spreadsheet, Python, an assistant.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { load } from 'cheerio';
import { parse } from 'csv-parse/sync';
import { verifyWebhook } from '../../lib/webhook.js';
import { answered } from '../faces/mcp/call-tool.js';
import { duckdb } from '../files/result-files/harness.js';
import { publicAddress } from '../support/browser-site.js';
import { fixtureSite } from '../support/fixture-site.js';
import { noPython, runPython } from '../support/python.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openService } from './service.js';

/** The place of the first sample of maps. */
const place = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';

interface Arrived {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

const arrived: Arrived[] = [];
const platforms = await fixtureSite({ 'maps/reviews': 2 });
const service = await openService((request) => {
  if (request.host !== publicAddress) return platforms(request);
  arrived.push(request);
  return { status: 200, body: 'ok' };
});

/** What the Python client is told by. */
const pythonEnv = { EXTRACT_BASE_URL: service.url, EXTRACT_API_KEY: service.apiKey };

const rowsOf = (csv: string) => parse(csv, { columns: true, bom: true }) as Record<string, string>[];

test('an agency reads a bad review in its chat, and its own program gets it signed, once', async () => {
  const { ask, schedule, nextWeek } = service;
  const { secret } = await ask('webhooks/secret', {});
  const first = await schedule({
    ...{ endpoint: 'maps/reviews', inputs: [{ place_id: place }], name: 'Coffee house' },
    ...{ when: 'rating <= 3', new: true, timezone: 'Europe/Berlin' },
    notify: [`https://${publicAddress}/hook`, `slack:https://${publicAddress}/services/T0/B0/x`],
  });
  const at = async (path: string) => {
    const found = () => arrived.find((one) => one.path === path);
    while (found() === undefined) await sleep(50);
    return found();
  };
  const hook = await at('/hook');
  const chat = await at('/services/T0/B0/x');
  const { body = '', headers = {} } = hook ?? {};
  assert.ok(verifyWebhook({ body, signature: String(headers['extract-signature']), secret }));
  const { items, name } = JSON.parse(body);
  assert.equal(name, 'Coffee house');
  assert.ok(items.length >= 3);
  const message = JSON.parse(chat?.body ?? '').text as string;
  assert.match(message, /Coffee house/);
  for (const { data, source, input } of items) {
    assert.ok(data.rating <= 3);
    assert.deepEqual(input, { place_id: place });
    assert.match(source.url, /^https:\/\/www\.google\.com\/maps\/reviews\//);
    assert.ok(message.includes(`<${source.url.replaceAll('&', '&amp;')}|`), message);
  }
  const second = await nextWeek(first);
  const [line] = await service.linesOf(second.job);
  assert.deepEqual(line, { input: { place_id: place }, data: [], sources: [], left_out: 10 });
  // Runs are told of in turn: a later one would come behind the second.
  await schedule({
    ...{ endpoint: 'maps/reviews', inputs: [{ place_id: place }] },
    notify: [`https://${publicAddress}/later`],
  });
  await at('/later');
  assert.deepEqual(
    arrived.map((one) => one.path).sort(),
    ['/hook', '/later', '/services/T0/B0/x'],
    'the same reviews are no news',
  );
});

test('a shop sees its ranks as a map in its browser, and the same ones in a table', async () => {
  const folder = temporaryFolder();
  const search = ['maps', 'grid', '--query', 'bakery in Graz', '--place', place, '--size', '3', '--demo'];
  const open = async (name: string) => {
    const file = path.join(folder, name);
    const { status, err } = await service.run([...search, '-o', file]);
    assert.equal(status, 0, err);
    return readFileSync(file, 'utf8');
  };
  const $ = load(await open('grid.html'));
  const points = $('svg[role=img] g > title')
    .toArray()
    .map((title) => /^([\d.]+), ([\d.]+): rank (\d+)/.exec($(title).text())?.slice(1).map(Number));
  const rows = rowsOf(await open('grid.csv'));
  assert.equal(points.length, 9);
  assert.deepEqual(
    points,
    rows.map(({ lat, lng, rank }) => [lat, lng, rank].map(Number)),
  );
  assert.equal($('script, link[href], img[src^=http]').length, 0, 'it opens without a network');
});

/** What a spreadsheet gets that names the host, and nothing else. */
async function pulled(url: string): Promise<{ readonly head: string; readonly body: string }> {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(`GET ${pathname} HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  return { head, body: rest.join('\r\n\r\n') };
}

test('the sheet of creators pulls the table of the newest week from one address', async () => {
  const { ask, schedule, nextWeek } = service;
  const inputs = ['mira.kettle', 'fern.atlas'].map((username) => ({ username, demo: true }));
  const first = await schedule({ endpoint: 'shortvideo/profile', inputs, sources: true });
  const [url = ''] = (await ask(`schedules/${first.schedule}/links`, { kind: 'table' })).urls;
  const week = async () => {
    const { head, body } = await pulled(url);
    assert.match(head, /^HTTP\/1\.[01] 200 /);
    assert.match(head, /content-type: text\/csv/i);
    return rowsOf(body);
  };
  const before = await week();
  assert.deepEqual(
    before.map(({ username, source_url: link }) => [username, link]),
    inputs.map(({ username }) => [username, `https://www.tiktok.com/@${username}`]),
  );
  assert.ok(before.every(({ follower_count }) => Number(follower_count) > 0));
  const second = await nextWeek(first);
  const after = await week();
  assert.equal(after.length, before.length);
  for (const [at, row] of after.entries()) {
    assert.ok(String(row.fetched_at) > String(before[at]?.fetched_at));
  }
  if (noPython !== false) return;
  const { out, err } = await runPython(['-c', rowsInPython, second.job], pythonEnv);
  assert.deepEqual(
    out.split('\n', inputs.length).map((line) => {
      const { username, follower_count } = JSON.parse(line);
      return [username, String(follower_count)];
    }),
    after.map(({ username, follower_count }) => [username, follower_count]),
    err,
  );
});

/** Prints a job's rows. A notebook makes a data frame of them, where it has a package for that. */
const rowsInPython = `
import json, sys
from public_extract import Client
for line in Client().results(sys.argv[1]):
    print(json.dumps(line.result()))
`;

test('a researcher has videos of a hashtag and their comments from Python, in tables that join', {
  skip: noPython,
}, async () => {
  const folder = temporaryFolder();
  const program = path.join(import.meta.dirname, '../../clients/python/tests/hashtag_program.py');
  const { status, err } = await runPython(['-W', 'error', program, '#Harbour', '3'], pythonEnv, folder);
  assert.equal(status, 0, err);
  const of = (name: string) =>
    `read_csv('${path.join(folder, name)}', types = {'id': 'VARCHAR', 'link': 'VARCHAR'})`;
  const joined = await duckdb(
    `SELECT v.id, v.link, count(*) AS comments, count(DISTINCT c.id) AS ids FROM ${of('videos.csv')} v
     JOIN read_csv('${path.join(folder, 'comments.csv')}', all_varchar = true) c ON c.video_id = v.id GROUP BY ALL`,
  );
  assert.equal(joined.length, 3);
  for (const { id, link, comments, ids } of joined) {
    assert.match(String(link), new RegExp(`^https://www\\.tiktok\\.com/@[^/]+/(video|photo)/${id}$`));
    assert.ok(Number(comments) >= 3 && comments === ids);
  }
});

test('somebody who looks for work asks an assistant what is new today, and has each job once, with its link', async (t) => {
  const client = new Client({ name: 'test', version: '1' });
  t.after(() => client.close());
  const headers = { Authorization: `Bearer ${service.apiKey}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
  const { data } = await answered(client, 'create_job', {
    ...{ endpoint: 'pronetwork/jobs', inputs: [{ query: 'kiln', limit: 5, demo: true }] },
    ...{ schedule: '1d', new: true, sources: true },
  });
  const { id: job, schedule } = data as { readonly id: string; readonly schedule: string };
  const isDone = async () => {
    const { data: now } = await answered(client, 'job_status', { id: job });
    return (now as { readonly status: string }).status === 'done';
  };
  while (!(await isDone())) await sleep(100);
  const news = async () => {
    const found = (await answered(client, 'whats_new', { schedule })).data as {
      readonly lines: readonly {
        readonly sources: readonly { readonly id: string; readonly url: string }[];
      }[];
    };
    return found.lines.flatMap(({ sources }) => sources);
  };
  const monday = await news();
  assert.equal(monday.length, 5);
  await service.nextWeek({ schedule, job });
  const tuesday = await news();
  assert.equal(tuesday.length, 1);
  const all = [...monday, ...tuesday];
  assert.equal(new Set(all.map(({ id }) => id)).size, 6);
  for (const { id, url } of all) assert.equal(url, `https://www.linkedin.com/jobs/view/${id}`);
});
