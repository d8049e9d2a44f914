import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { casesOf } from '../../../../lib/samples.js';
import { Interruption } from '../../../../src/faces/cli/exit-status-error.js';
import { partBytes } from '../../../../src/files/bucket/file-upload.js';
import { EvidenceWriter } from '../../../../src/files/evidence/evidence-writer.js';
import { archiveIn, lineOfCase, shortvideoProfile } from '../../../files/evidence/harness.js';
import { bucketName, openBucketServer } from '../../../support/bucket-server.js';
import { stoppedClock } from '../../../support/cases.js';
import { argv, assertExit, extract, testHome } from '../../../support/cli.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { outputOf } from '../../../support/program-output.js';
import { startCommand } from '../../../support/start-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const server = await openBucketServer();
after(() => server.close());

const folder = temporaryFolder();
const to = (key: string) => `s3://${bucketName}/${key}`;
const profile = argv`shortvideo profile mira.kettle --demo`;
const textOf = (key: string) => server.object(key)?.toString() ?? '';
/** Requests that the server got, as `METHOD /path`. */
const requested = (pattern: RegExp) => server.requests.filter((request) => pattern.test(request));
const forgetOutputs = () => rmSync(path.join(testHome(), 'buckets'), { recursive: true });

/** Runs work with other settings of the storage. */
async function withSettings(settings: Readonly<Record<string, string>>, work: () => Promise<unknown>) {
  Object.assign(process.env, settings);
  try {
    await work();
  } finally {
    Object.assign(process.env, server.env);
  }
}

/** A text file in the folder. */
function writeObject(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Every file of the data directory that is on its way to the bucket, or was. */
const localFiles = (home = testHome(), part = 'uploads') => {
  const place = path.join(home, part);
  return existsSync(place) ? readdirSync(place, { recursive: true }).map(String).sort() : [];
};

describe('an output in a bucket', () => {
  before(() => Object.assign(process.env, server.env));
  after(() => {
    for (const name of Object.keys(server.env)) delete process.env[name];
  });

  test('receives the output of a call, in every format, and no local file stays', async () => {
    for (const kind of ['ndjson', 'json', 'csv', 'tsv', 'xlsx', 'sqlite', 'parquet']) {
      const file = path.join(folder, `mira.${kind}`);
      for (const output of [to(`calls/mira.${kind}`), file])
        assertExit(await extract([...profile, '-o', output]), 0);
      const [bytes, wanted] = [server.object(`calls/mira.${kind}`), readFileSync(file)];
      assert.ok(bytes !== null && wanted.length > 20);
      if (/json|sv/.test(kind)) assert.equal(bytes.toString().length, wanted.toString().length, kind);
      assert.equal(bytes.subarray(0, 2).toString('latin1'), wanted.subarray(0, 2).toString('latin1'), kind);
    }
    assert.deepEqual(localFiles(), []);
  });

  test('is only replaced on request, and a database there is not appended to', async () => {
    const there = [...profile, '-o', to('calls/mira.csv')];
    assertExit(await extract(there), 2, /s3:\/\/results\/calls\/mira\.csv exists: --overwrite replaces it/);
    assertExit(await extract([...there, '--overwrite']), 0);
    const added = await extract(argv`${profile} -o ${to('calls/mira.sqlite')} --append`);
    assertExit(added, 2, /Cannot append to an object/);
    const wrong = await extract(argv`${profile} -o s3://Results/a.csv`);
    assertExit(wrong, 2, /does not begin with a valid bucket name/);
  });

  test('is not in settings with its secret key, and needs all of them', async () => {
    await withSettings({ EXTRACT_S3_SECRET: 'not-the-secret' }, async () => {
      assert.doesNotMatch((await extract(argv`config --json`)).out, /not-the-secret/);
      delete process.env.EXTRACT_S3_SECRET;
      assertExit(await extract([...profile, '-o', to('no.csv')]), 2, /must be set together/);
    });
  });

  test('is checked before the first input: a missing bucket, a refused key and a silent storage are named', async () => {
    const names = writeObject('asked.txt', 'mira.kettle\nbig.lantern\n');
    const batch = argv`batch shortvideo/profile ${names} --demo`;
    const box = argv`--query cafe --bbox 23.70,37.95,23.71,37.96 --demo`;
    const commands = [profile, batch, [...batch, '--overwrite'], argv`maps cover ${box}`];
    const [key, secret] = [{ EXTRACT_S3_KEY_ID: 'other' }, { EXTRACT_S3_SECRET: 'not-the-secret' }];
    const noBucket = /nobucket\/x\.csv cannot be written: there is no such bucket at EXTRACT_S3_ENDPOINT/;
    for (const [bucket, settings, says, next] of [
      ['nobucket', {}, noBucket, /Create it, or/],
      [bucketName, key, /it does not know the key/, /; check EXTRACT_S3_KEY_ID/],
      [
        bucketName,
        secret,
        /results\/x\.csv cannot be/,
        /signature; check EXTRACT_S3_SECRET and EXTRACT_S3_R/,
      ],
    ] as const)
      await withSettings(settings, async () => {
        for (const command of commands) {
          const ran = await extract([...command, '-o', `s3://${bucket}/x.csv`], { stderrIsTTY: true });
          assertExit(ran, 2, /invalid_parameter/, says, next);
          assert.doesNotMatch(ran.err, /Report it|Continue with|not-the-secret|--help|Sample data|ok, /);
          assert.equal(ran.out, '');
        }
      });
    assert.deepEqual(localFiles(testHome(), 'buckets/nobucket'), []);
    assert.deepEqual(server.uploads(), [], 'no upload stays begun');
    assertExit(await extract(argv`${batch} -o ${to('asked.csv')} --limit-credits 3`), 0);
  });

  test('on an unreachable storage is refused before any request, without advice to report it', async () => {
    const closed = await openBucketServer();
    await closed.close();
    const names = writeObject('away.txt', 'mira.kettle\n');
    const batch = argv`batch shortvideo/profile ${names} --demo -o ${to('away.csv')}`;
    await withSettings({ EXTRACT_S3_ENDPOINT: closed.url }, async () => {
      const { err } = assertExit(
        await extract(batch, { stderrIsTTY: true }),
        1,
        /away\.csv cannot be written: it cannot be reached, or the connection broke \(ECONNREFUSED\)/,
        /Check EXTRACT_S3_ENDPOINT and the network, then try again\./,
      );
      assert.doesNotMatch(err, /Report it|Continue with/);
    });
  });

  test('receives the output of a batch: lines, and tables once complete; convert writes one as well', async () => {
    const names = writeObject('names.txt', 'mira.kettle\nbig.lantern\n');
    const batch = (kind: string) =>
      extract(argv`batch shortvideo/profile ${names} --demo -o ${to(`batch/two.${kind}`)}`);
    for (const kind of ['ndjson', 'csv', 'xlsx', 'parquet']) {
      assertExit(await batch(kind), 0);
      assert.ok((server.object(`batch/two.${kind}`)?.length ?? 0) > 100, kind);
    }
    const lines = textOf('batch/two.ndjson');
    const usernames = ndjsonValues(lines).map(({ input }) => input.username);
    assert.deepEqual(usernames, ['mira.kettle', 'big.lantern']);
    assertExit(await batch('csv'), 2, /two\.csv exists and is finished/);
    forgetOutputs();
    assertExit(await batch('csv'), 2, /was not written by a batch in this data directory\. Use --overwrite/);
    const local = writeObject('two.ndjson', lines);
    const args = argv`convert ${local} ${to('batch/converted.xlsx')} --endpoint shortvideo/profile`;
    assertExit(await extract(args), 0, /s3:\/\/results\/batch\/converted\.xlsx: 2 items/);
    assert.match(textOf('batch/converted.xlsx'), /^PK/);
  });

  test('is finished by --resume if the storage was away at the end, and failed inputs can be retried', async () => {
    const names = writeObject('three.txt', 'mira.kettle\n\u0020not a name\nbig.lantern\n');
    const line = argv`batch shortvideo/profile ${names} --demo -o ${to('late/three.ndjson')}`;
    server.fail(/PUT .*late/, 403);
    const { err } = await extract(line);
    assert.match(err, /s3:\/\/results\/late\/three\.ndjson cannot be written/);
    assert.match(err, /Continue with: .*s3:\/\/results\/late\/three\.ndjson.*--resume/);
    assert.equal(server.object('late/three.ndjson'), null);
    assertExit(await extract([...line, '--resume']), 7);
    const before = textOf('late/three.ndjson');
    assert.equal(before.split('\n').length, 4);
    assertExit(await extract([...line, '--retry-failed']), 7);
    assert.equal(textOf('late/three.ndjson'), before);
  });

  test('of a watch is one object per run, with its time; a run without news leaves none, and no local file stays', async () => {
    const home = temporaryFolder();
    const names = writeObject('one.txt', 'mira.kettle\n');
    const options = argv`--once --demo --new w -o`;
    // Different names, because objects are distinguished by the second of their run, and both may begin in the same
    // one.
    const run = async (name: string) => {
      const watch = argv`watch shortvideo/profile ${names} ${options} ${to(`watch/${name}.ndjson`)}`;
      assertExit(await outputOf(startCommand(watch, { ...server.env, EXTRACT_HOME: home })), 0);
    };
    await run('a');
    const [put = ''] = requested(/^PUT \/results\/watch\/a\.\d{4}-[^/]*Z\.ndjson$/);
    assert.ok((server.object(put.slice('PUT /results/'.length))?.length ?? 0) > 100);
    const before = requested(/^PUT/);
    await run('b');
    assert.deepEqual(requested(/^PUT/), before);
    const others = localFiles(home, 'buckets').filter((name) => name.includes('.'));
    assert.deepEqual(others, []);
  });

  test('receives a cover, a grid and each stage of a chain, which --resume uploads if the storage was away', async () => {
    const place = argv`--place ChIJtjc9rEc1bkcRzq9EdYiTlqE --size 2`;
    const words = writeObject('words.txt', 'tea\n');
    const chain = argv`batch shortvideo/search ${words} --then shortvideo/comments --then-limit 1`;
    const stages = ['tea.1-shortvideo-search.ndjson', 'tea.2-shortvideo-comments.ndjson'];
    const commands: readonly (readonly [string, readonly string[], objects?: readonly string[]])[] = [
      ['area.csv', argv`maps cover --query cafe --bbox 23.70,37.95,23.71,37.96`],
      ['ranks.html', argv`maps grid --query dentist ${place}`],
      ['tea.ndjson', chain, stages],
      ['both.sqlite', chain],
    ];
    for (const [name, command, objects = [name]] of commands) {
      const line = [...command, '--demo', '-o', to(`more/${name}`)];
      const last = objects.at(-1) ?? '';
      server.fail(new RegExp(`^PUT .*more/${last}`), 403);
      const { err } = await extract(line);
      assert.match(err, new RegExp(`s3://results/more/${last} cannot be written: .*403`));
      assert.match(err, /Continue with: .*--resume/);
      assert.equal(server.object(`more/${last}`), null);
      assertExit(await extract([...line, '--resume']), 0);
      for (const object of objects) assert.ok((server.object(`more/${object}`)?.length ?? 0) > 100, object);
      assertExit(await extract(line), 2, /exists/);
      assertExit(await extract([...line, '--overwrite']), 0);
    }
    assert.match(textOf('more/ranks.html'), /^<!doctype html>/i);
    forgetOutputs();
    const before = requested(/^PUT/);
    for (const [name, command] of commands) {
      const other = await extract([...command, '--demo', '-o', to(`more/${name}`)]);
      assertExit(other, 2, /s3:\/\/results\/more\/.*was not written by a batch in this data directory/);
    }
    assert.deepEqual(requested(/^PUT/), before, 'nothing was sent');
  });

  test('has a feed, and the lines of an archive', async () => {
    const history = path.join(folder, 'history.sqlite');
    const names = writeObject('kept.txt', 'mira.kettle\n');
    const batch = argv`batch shortvideo/videos ${names} --demo --history ${history}`;
    assertExit(await extract([...batch, '-o', path.join(folder, 'kept.ndjson')]), 0);
    const feed = argv`feed ${history} -o ${to('feeds/videos.atom')}`;
    assertExit(await extract(feed), 0);
    assert.match(textOf('feeds/videos.atom'), /<feed/);
    assertExit(await extract(feed), 2, /s3:\/\/results\/feeds\/videos\.atom exists: --overwrite/);
    assertExit(await extract([...feed, '--overwrite']), 0);
    const [one] = await casesOf(shortvideoProfile);
    const archive = archiveIn(folder);
    const writer = await EvidenceWriter.open(archive, stoppedClock);
    const line = await lineOfCase(writer, shortvideoProfile, one as never);
    await writer.close();
    const derived = await extract(argv`from-archive ${archive} -o ${to('archives/again.ndjson')}`);
    assertExit(derived, 0, /^s3:\/\/results\/archives\/again\.ndjson: 1 line from /);
    assert.deepEqual(JSON.parse(textOf('archives/again.ndjson')), JSON.parse(line));
    assert.deepEqual(localFiles(), []);
  });

  test('is not waited for after Ctrl-C if the storage is silent; a later command deletes its parts', async () => {
    const uploads = path.join(testHome(), 'uploads');
    const sweep = argv`${profile} -o ${to('swept.csv')} --overwrite`;
    /** Interrupts a command once it has sent the storage a request that never gets an answer: it ends. */
    const interrupt = async (args: readonly string[], silent: RegExp, alsoSilent?: RegExp) => {
      const stop = new AbortController();
      const earlier = requested(silent).length;
      server.hang(silent);
      const running = extract(args, { signal: stop.signal });
      while (requested(silent).length === earlier) await sleep(20);
      if (alsoSilent !== undefined) server.hang(alsoSilent);
      const since = performance.now();
      stop.abort(new Interruption('SIGINT'));
      assertExit(await running, 130);
      assert.ok(performance.now() - since < 30_000);
    };
    // The sweep of what another process left.
    mkdirSync(uploads, { recursive: true });
    const leftover = path.join(uploads, 'left.csv');
    const state = { extract_upload: 1, to: to('left.csv'), upload: 'gone', mark: 'm', parts: [] };
    writeFileSync(`${leftover}.upload`, JSON.stringify(state));
    writeFileSync(leftover, '');
    utimesSync(leftover, 0, 0);
    server.fail(/^DELETE .*left/, 403);
    assertExit(await extract(sweep), 0);
    await interrupt(sweep, /^DELETE .*left/);
    assert.deepEqual(localFiles(), ['left.csv', 'left.csv.upload']);
    assertExit(await extract(sweep), 0);
    assert.deepEqual(localFiles(), []);
    // A multipart upload that cannot be aborted.
    const { data } = JSON.parse((await extract(profile)).out);
    const large = { ...data, bio_description: 'x'.repeat(90_000) };
    const row = JSON.stringify({ input: { username: 'mira.kettle' }, data: large });
    const big = writeObject('big.ndjson', `${row}\n`.repeat(100));
    const convert = argv`convert ${big} ${to('big.csv')} --endpoint shortvideo/profile`;
    await interrupt(convert, /^PUT .*big/, /^DELETE .*big/);
    const leftovers = localFiles();
    assert.equal(leftovers.length, 2, 'the name of the file, and the ID of its upload');
    for (const name of leftovers) {
      assert.ok(statSync(path.join(uploads, name)).size < 1000);
      utimesSync(path.join(uploads, name), 0, 0);
    }
    assert.equal(server.uploads().length, 1);
    assertExit(await extract(sweep), 0);
    assert.deepEqual(localFiles(), []);
    assert.deepEqual(server.uploads(), []);
  });

  test('is sent in parts while a batch runs; killed and resumed, it has each line once and each part is sent once', async () => {
    const home = temporaryFolder();
    // Some 20 MB of lines.
    const queries = Array.from({ length: 900 }, (_, at) => `bakery ${at}`);
    const names = writeObject('many.txt', queries.join('\n'));
    const key = 'many/lines.ndjson';
    const env = { ...server.env, EXTRACT_HOME: home };
    const line = argv`batch maps/places ${names} --demo --quiet -o ${to(key)}`;
    const firstPart = new RegExp(`^PUT /results/${key}\\?partNumber=1$`);
    const killed = startCommand(line, env);
    const ended = once(killed, 'close');
    while (requested(firstPart).length === 0 && killed.exitCode === null) await sleep(20);
    assert.equal(server.object(key), null);
    // Once the state next to the lines says so.
    const state = path.join(home, 'buckets', bucketName, 'many', 'lines.ndjson.upload');
    while (!existsSync(state) || JSON.parse(readFileSync(state, 'utf8')).parts.length === 0) await sleep(20);
    killed.kill('SIGKILL');
    await ended;
    assert.equal(server.object(key), null);
    assertExit(await outputOf(startCommand([...line, '--resume'], env), ''), 0);
    const bytes = server.object(key);
    assert.ok(bytes !== null && bytes.length > 2 * partBytes, String(bytes?.length));
    const seen = ndjsonValues(bytes.toString()).map(({ input }) => input.query);
    assert.deepEqual(seen, queries);
    assert.equal(requested(firstPart).length, 1, 'the part that was there is not sent again');
    assert.deepEqual(server.uploads(), []);
    assert.equal(existsSync(state), false);
  });
});
