import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
import { outputOfRun } from '../../../src/faces/cli/watch/run-output.js';
import { openWatchWebhook } from '../../../src/faces/cli/watch/webhook.js';
import { argv, assertExit, extract, interruptedAt, type Surroundings } from '../../support/cli.js';
import { FakeClock } from '../../support/fake-clock.js';
import { aHarbour, anAnswer, inventedRows } from '../../support/invented-rows.js';
import { bodyOf, loopback } from '../../support/loopback.js';
import { ndjsonText } from '../../support/ndjson.js';
import { newFiles } from '../../support/new-files.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const inputs = (...ids: readonly string[]) => newFile('ndjson', ndjsonText(ids.map((id) => ({ id }))));

/** Answers a harbour by its ID, of which `none` is not found; the credits suffice up to the one that `over` names. */
const harbours = (over?: string): Pick<CommandExtractor, 'answer'> => ({
  async answer(_, { id }) {
    if (id === 'none') throw new ExtractError('place_not_found');
    if (id === over) throw new ExtractError('insufficient_credits', 'Nothing is left.');
    return anAnswer(aHarbour({ name: String(id) }));
  },
});

const run = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(args, { endpoints: inventedRows, extractor: harbours(), ...surroundings });
const watch = (args: readonly string[], surroundings: Surroundings = {}) =>
  run(argv`watch maps/harbour ${args}`, surroundings);

const outputs = (name: string) => readdirSync(folder).filter((file) => file.startsWith(`${name}.`));

describe('extract watch', () => {
  test('--once runs a single time, each into a separate file, and leaves none without news', async () => {
    const output = path.join(folder, 'news.ndjson');
    const args = argv`${inputs('a', 'b')} --once --new watched -o ${output}`;
    assertExit(await watch(args), 0, /2 inputs in \d+ s: 2 answered\./);
    const [file = '', checkpoint] = outputs('news').sort();
    assert.match(file, /^news\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.ndjson$/);
    assert.equal(checkpoint, `${file}.checkpoint`);
    assert.equal(readFileSync(path.join(folder, file), 'utf8').split('\n').length, 3);
    assertExit(await watch(args), 0, /2 answered \(2 without news\)/);
    assert.equal(outputs('news').length, 2);
  });

  for (const ending of ['csv', 'json', 'xlsx', 'parquet'])
    test(`leaves no ${ending} without news: a file of that kind has bytes without rows too`, async () => {
      const name = `no-news-${ending}`;
      const args = argv`${inputs('a')} --once --new ${name} -o ${path.join(folder, `${name}.${ending}`)}`;
      assertExit(await watch(args), 0);
      const before = outputs(name);
      assert.ok(before.length > 0);
      assertExit(await watch(args), 0);
      assert.deepEqual(outputs(name), before);
    });

  test('--append adds each run to one database, and loses no row of an earlier one', async () => {
    const output = path.join(folder, 'added.sqlite');
    const args = (file: string) => argv`${file} --once --new added --append -o ${output}`;
    assertExit(await watch(args(inputs('a', 'b'))), 0);
    assertExit(await watch(args(inputs('b', 'c'))), 0);
    assert.deepEqual(outputs('added'), ['added.sqlite']);
    const names = queryFile(output, 'SELECT name FROM maps_harbour ORDER BY 1').map(({ name }) => name);
    const runs = queryFile(output, 'SELECT run FROM extract_runs');
    assert.deepEqual([names, runs.length], [['a', 'b', 'c'], 2]);
  });

  test('announces the next run and the cost of runs, and ends with Ctrl-C', async () => {
    const ending = new AbortController();
    const ran = await watch(argv`${inputs('a', 'b', 'c')} --every 6h`, {
      signal: ending.signal,
      // After the first run.
      onErr: (text) => text.includes('In 30 days') && ending.abort(new Interruption('SIGINT')),
    });
    const said = /Next run \w{3} \d+ \w+ \d\d:\d\d UTC, in 6 h: 3 inputs\. In 30 days: 120 runs\.\n/;
    assert.equal(assertExit(ran, 130, said).out.trim().split('\n').length, 3);
    // The endpoint keeps its answers for two hours.
    assert.doesNotMatch(ran.err, /--fresh/);
  });

  test('refuses invalid options before anything runs', async () => {
    const file = inputs('a');
    for (const [args, message] of [
      [[file], /Say when to run it/],
      [argv`${file} --every 6h --once`, /either --every or --once/],
      [argv`${file} --every soon`, /is not a schedule/],
      [argv`- --once`, /must be a file/],
      [argv`${file} --once --webhook ftp://x.example`, /http or https/],
      [argv`${file} --once --resume`, /Unknown option --resume/],
      [[path.join(folder, 'nowhere'), '--once'], /No such file: /],
    ] as const)
      assertExit(await watch(args), 2, message);
  });

  test('posts the summary of a run', async (t) => {
    const bodies: { body: unknown; headers: IncomingHttpHeaders }[] = [];
    const { origin } = await loopback(t, async (request, response) => {
      bodies.push({ body: JSON.parse(await bodyOf(request)), headers: request.headers });
      response.writeHead(204).end();
    });
    await watch(argv`${inputs('a', 'none')} --once --webhook ${origin}/runs`);
    const [{ body, headers } = { body: null, headers: {} }] = bodies;
    const { started_at, ...rest } = body as Record<string, unknown>;
    assert.equal(typeof started_at, 'string');
    assert.deepEqual(rest, {
      ...{ endpoint: 'maps/harbour', finished: true, inputs: 2, answered: 1, without_news: 0, parts: 0 },
      ...{ failed: 1, credits_spent: 2, output: null, error: null, next_run_at: null },
    });
    assert.match(String(headers['extract-delivery']), /^whd_/);
    assert.equal(headers['extract-signature'], undefined);
  });
});

test('--install shows how to schedule a watch on this machine, and writes nothing', async () => {
  const args = argv`${inputs('a')} --every ${'monday 08:00'} -o ${path.join(folder, 'weekly.ndjson')}`;
  const { out } = assertExit(await watch(argv`${args} --install cron`), 0, /Preview only\. Add --write to/);
  assert.match(out, /^0 8 \* \* 1 cd \S+ && .*EXTRACT_HOME=\S+ .* # extract-watch-maps-harbour-\w{8}\n$/m);
  assert.match((await watch(argv`${args} --install systemd`)).out, /^OnCalendar=Mon \*-\*-\* 08:00:00$/m);
  assertExit(await watch(argv`${inputs('a')} --once --install`), 2, /requires --every/);
  assert.deepEqual(outputs('weekly'), []);
});

test('--install stores the settings in effect, and distinguishes watches by their targets', async (t) => {
  process.env.EXTRACT_WEBHOOK_SECRET = 'whsec_never_shown';
  t.after(() => delete process.env.EXTRACT_WEBHOOK_SECRET);
  const args = argv`${inputs('a')} --every 6h --install cron`;
  const { out } = await watch(args);
  assert.match(out, /^# \S+\.env \(mode 600\): .*EXTRACT_WEBHOOK_SECRET/m);
  assert.match(out, /set -a && \. \S+\.env && EXTRACT_HOME=/);
  assert.doesNotMatch(out, /never_shown/);
  const nameOf = (text: string) => /# (extract-watch-\S+)$/m.exec(text)?.[1];
  const options = [
    [],
    argv`--when ${'name == "b"'}`,
    ['--fresh'],
    argv`--webhook https://example.com/hook`,
    argv`--save-pages pages`,
    argv`--keep-names ada --pseudonymise authors --pseudonym-key key`,
  ];
  const names = await Promise.all(options.map(async (more) => nameOf((await watch([...args, ...more])).out)));
  assert.equal(new Set(names).size, options.length, names.join());
  // How it runs makes no other watch of it.
  for (const more of [argv`--every 1d`, argv`--concurrency 2 --on-refusal stop --no-color`])
    assert.equal(nameOf((await watch([...args, ...more])).out), nameOf(out));
});

describe('alerts of the command line', () => {
  interface Alert {
    readonly items: readonly { what: string; input: unknown; own: unknown; changes: unknown }[];
    readonly total: number;
    readonly known: number;
    readonly stopped: string | null;
  }

  async function watchOutput(t: TestContext, args: readonly string[], surroundings: Surroundings = {}) {
    const bodies: Alert[] = [];
    const { origin } = await loopback(t, async (request, response) => {
      bodies.push(JSON.parse(await bodyOf(request)));
      response.writeHead(404).end();
    });
    const ran = await run([...args, '--notify', `${origin}/secret`], surroundings);
    return { ...ran, bodies };
  }

  test('report the items of a watch and a batch once, and name targets that failed', async (t) => {
    const file = inputs('a', 'b', 'none');
    const args = argv`watch maps/harbour ${file} --once --new told --notify-all --when ${'name == "b"'}`;
    const first = assertExit(await watchOutput(t, args), 7);
    const [body] = first.bodies;
    assert.equal(first.bodies.length, 1);
    const alerts = body?.items.map(({ what, input }) => [what, input]);
    assert.deepEqual([body?.total, alerts], [1, [['new', { id: 'b' }]]]);
    assert.match(first.err, /The alert was not accepted \(webhook: 127\.0\.0\.1:\d+\/…\): .* status 404/);
    assert.doesNotMatch(first.err + first.out, /secret/);
    // Sources that are only requested for alerts do not appear in the lines.
    assert.doesNotMatch(first.out, /sources/);
    assert.equal((await watchOutput(t, args)).bodies.length, 0);
    const output = path.join(folder, 'told.ndjson');
    const batch = await watchOutput(t, argv`batch maps/harbour ${file} -o ${output}`);
    const rows = batch.bodies.map(({ total, items }) => [total, items[0]?.what]);
    assert.deepEqual(rows, [[2, 'found']]);
  });

  test('of a first run under a name have the number of items, and later ones the user’s columns', async (t) => {
    const args = (...ids: readonly string[]) => {
      const file = newFile('ndjson', ndjsonText(ids.map((id) => ({ id, campaign: 'spring' }))));
      return argv`batch maps/harbour ${file} --new first`;
    };
    const first = await watchOutput(t, args('a', 'b'));
    const rows = first.bodies.map(({ total, known, items }) => [total, known, items]);
    assert.deepEqual(rows, [[0, 2, []]]);
    assert.match(first.err, /first run under --new first: 2 remembered, none reported\. --notify-all/);
    const next = await watchOutput(t, args('b', 'c'));
    assert.deepEqual(
      next.bodies.map(({ known, items }) => [known, items.map(({ input, own }) => [input, own])]),
      [[0, [[{ id: 'c' }, { campaign: 'spring' }]]]],
    );
  });

  test('report a stopped run with its findings, and are stored for an interrupted one', async (t) => {
    const output = path.join(folder, 'stopped.ndjson');
    const file = inputs('a', 'b', 'stop', 'c');
    const args = argv`batch maps/harbour ${file} -o ${output} --resume --concurrency 1`;
    const stopped = await watchOutput(t, args, { extractor: harbours('stop') });
    const rows = stopped.bodies.map(({ stopped: why, total }) => [why, total]);
    assert.deepEqual(rows, [['insufficient_credits: Nothing is left. Add credits and try again.', 2]]);
    const interrupted = await watchOutput(t, args, interruptedAt(2, harbours()));
    const rest = assertExit(await watchOutput(t, args), 0);
    const reported = [...interrupted.bodies, ...rest.bodies].flatMap(({ items }) => items);
    assert.deepEqual(
      reported.map(({ input }) => input),
      [{ id: 'stop' }, { id: 'c' }],
    );
  });

  test('are refused before anything runs if one could not be sent', async () => {
    const args = argv`batch maps/harbour ${inputs('a')} --notify`;
    for (const [target, message] of [
      ['nowhere', /valid e-mail address/],
      ['ada@example.com', /EXTRACT_SMTP_URL/],
    ] as const)
      assert.equal(assertExit(await run([...args, target]), 2, message).out, '');
  });
});

describe('the webhook of a watch', () => {
  test('is signed, retried after the pauses of webhooks, and abandoned in the end', async () => {
    const clock = new FakeClock();
    const sent: Record<string, string>[] = [];
    const hook = openWatchWebhook(
      'https://hooks.example/',
      'whsec_x',
      {} as never,
      {
        async send({ headers }) {
          sent.push({ ...headers });
          return { status: 503, error: 'The receiver responded with status 503.', again: true };
        },
        close: async () => undefined,
      },
      clock,
    );
    const posted = hook.post({ id: 'whd_1', body: '{}' }, new AbortController().signal);
    assert.match(String(await clock.passing(posted, 60_000)), /503/);
    assert.deepEqual(clock.slept, [2000, 4000, 8000, 16_000, 32_000]);
    assert.deepEqual(
      sent.map((headers) => headers['extract-delivery']),
      Array(6).fill('whd_1'),
    );
    for (const headers of sent) assert.match(headers['extract-signature'] ?? '', /^t=\d+,v1=/);
  });
});

test('the output of a run carries its time before the ending', async () => {
  const at = Date.parse('2026-11-22T18:00:00.123Z');
  assert.equal(await outputOfRun('a/news.ndjson', at), path.join('a', 'news.2026-11-22T18-00-00Z.ndjson'));
  assert.equal(await outputOfRun('news', at), 'news.2026-11-22T18-00-00Z');
  const output = path.join(folder, 'twice.csv');
  writeFileSync(await outputOfRun(output, at), '');
  assert.match(await outputOfRun(output, at), /twice\.2026-11-22T18-00-00Z-2\.csv$/);
});
