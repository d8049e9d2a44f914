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
import { ArchiveWriter } from '../../../../src/files/evidence/archive-writer.js';
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

/** A text file in the folder. */
function writeObject(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Every file of the data directory that is on its way to the bucket, or was. */
const localFiles = (home: string, part: string) => {
  const place = path.join(home, part);
  return existsSync(place) ? readdirSync(place, { recursive: true }).map(String) : [];
};

describe('an output in a bucket', () => {
  before(() => Object.assign(process.env, server.env));
  after(() => {
    for (const name of Object.keys(server.env)) delete process.env[name];
  });

  test('receives the output of a call, in every format, and no local file stays', async () => {
    const kinds = ['ndjson', 'json', 'csv', 'tsv', 'xlsx', 'sqlite', 'parquet'];
    for (const kind of kinds) {
      const object = `calls/mira.${kind}`;
      assertExit(await extract(argv`shortvideo profile mira.kettle --demo -o ${to(object)}`), 0);
      const file = path.join(folder, `mira.${kind}`);
      await extract(argv`shortvideo profile mira.kettle --demo -o ${file}`);
      const [bytes, wanted] = [server.object(object), readFileSync(file)];
      assert.ok(bytes !== null && wanted.length > 20);
      if (/json|sv/.test(kind)) assert.equal(bytes.toString().length, wanted.toString().length, kind);
      assert.equal(bytes.subarray(0, 2).toString('latin1'), wanted.subarray(0, 2).toString('latin1'), kind);
    }
    assert.deepEqual(localFiles(testHome(), 'uploads'), []);
  });

  test('is only replaced on request, and a database there is not appended to', async () => {
    const line = argv`shortvideo profile mira.kettle --demo -o ${to('calls/mira.csv')}`;
    assertExit(await extract(line), 2, /s3:\/\/results\/calls\/mira\.csv exists: --overwrite replaces it/);
    assert.equal((await extract([...line, '--overwrite'])).status, 0);
    const added = await extract([...line.slice(0, -1), to('calls/mira.sqlite'), '--append']);
    assert.match(added.err, /Cannot append to an object/);
    const wrong = await extract([...line.slice(0, -1), 's3://Results/a.csv']);
    assert.match(wrong.err, /does not begin with a valid bucket name/);
  });

  test('is named in the error of a call that cannot write it, without the secret key', async () => {
    process.env.EXTRACT_S3_SECRET = 'not-the-secret';
    try {
      const ran = await extract(argv`shortvideo profile mira.kettle --demo -o ${to('no.csv')}`);
      assert.notEqual(ran.status, 0);
      assert.match(ran.err, /s3:\/\/results\/no\.csv cannot be written: .*; check EXTRACT_S3_SECRET/);
      assert.doesNotMatch(ran.err, /not-the-secret/);
      const config = await extract(argv`config --json`);
      assert.doesNotMatch(config.out, /not-the-secret/);
      delete process.env.EXTRACT_S3_SECRET;
      const half = await extract(argv`shortvideo profile mira.kettle --demo -o ${to('no.csv')}`);
      assert.match(half.err, /must be set together/);
    } finally {
      Object.assign(process.env, server.env);
    }
  });

  test('is checked before the first input: a missing bucket, a refused key and a silent storage are named', async () => {
    const names = writeObject('asked.txt', 'mira.kettle\nbig.lantern\n');
    const call = argv`shortvideo profile mira.kettle --demo`;
    const batch = argv`batch shortvideo/profile ${names} --demo`;
    const box = argv`--query cafe --bbox 23.70,37.95,23.71,37.96 --demo`;
    const commands = [call, batch, [...batch, '--overwrite'], argv`maps cover ${box}`];
    const refusals = [
      [
        'nobucket',
        {},
        /s3:\/\/nobucket\/x\.csv cannot be written: there is no such bucket at EXTRACT_S3_ENDPOINT.*Create it, or/s,
      ],
      [bucketName, { EXTRACT_S3_KEY_ID: 'other' }, /it does not know the key; check EXTRACT_S3_KEY_ID/],
      [
        bucketName,
        { EXTRACT_S3_SECRET: 'not-the-secret' },
        /signature; check EXTRACT_S3_SECRET and EXTRACT_S3_REGION/,
      ],
    ] as const;
    for (const [bucket, env, says] of refusals) {
      Object.assign(process.env, env);
      try {
        for (const command of commands) {
          const ran = await extract([...command, '-o', `s3://${bucket}/x.csv`], { stderrIsTTY: true });
          assertExit(ran, 2, /invalid_parameter/, says);
          assert.doesNotMatch(ran.err, /Report it|Continue with|not-the-secret|--help|Sample data|ok, /);
          assert.equal(ran.out, '');
        }
      } finally {
        Object.assign(process.env, server.env);
      }
    }
    assert.deepEqual(localFiles(path.join(testHome(), 'buckets'), 'nobucket'), []);
    assert.deepEqual(server.uploads(), [], 'no upload stays begun');
    assertExit(await extract(argv`${batch} -o ${to('asked.csv')} --limit-credits 3`), 0);
  });

  test('on an unreachable storage is refused before any request, without advice to report it', async () => {
    const closed = await openBucketServer();
    await closed.close();
    process.env.EXTRACT_S3_ENDPOINT = closed.url;
    try {
      const names = writeObject('away.txt', 'mira.kettle\n');
      const ran = assertExit(
        await extract(argv`batch shortvideo/profile ${names} --demo -o ${to('away.csv')}`, {
          stderrIsTTY: true,
        }),
        1,
        /away\.csv cannot be written: it cannot be reached, or the connection broke \(ECONNREFUSED\)/,
        /Check EXTRACT_S3_ENDPOINT and the network, then try again\./,
      );
      assert.doesNotMatch(ran.err, /Report it|Continue with/);
    } finally {
      Object.assign(process.env, server.env);
    }
  });

  test('receives the output of a batch: lines, and tables once complete; convert writes one as well', async () => {
    const names = writeObject('names.txt', 'mira.kettle\nbig.lantern\n');
    for (const kind of ['ndjson', 'csv', 'xlsx', 'parquet']) {
      const ran = await extract(argv`batch shortvideo/profile ${names} --demo -o ${to(`batch/two.${kind}`)}`);
      assert.equal(ran.status, 0, ran.err);
      assert.ok((server.object(`batch/two.${kind}`)?.length ?? 0) > 100, kind);
    }
    const lines = String(server.object('batch/two.ndjson'));
    const usernames = ndjsonValues(lines).map(({ input }) => input.username);
    assert.deepEqual(usernames, ['mira.kettle', 'big.lantern']);
    const twice = await extract(argv`batch shortvideo/profile ${names} --demo -o ${to('batch/two.csv')}`);
    assert.match(twice.err, /two\.csv exists and is finished/);
    rmSync(path.join(testHome(), 'buckets'), { recursive: true });
    const other = await extract(argv`batch shortvideo/profile ${names} --demo -o ${to('batch/two.csv')}`);
    assert.match(other.err, /was not written by a batch in this data directory\. Use --overwrite/);
    const local = writeObject('two.ndjson', lines);
    const args = argv`convert ${local} ${to('batch/converted.xlsx')} --endpoint shortvideo/profile`;
    assertExit(await extract(args), 0, /s3:\/\/results\/batch\/converted\.xlsx: 2 items/);
    assert.equal(server.object('batch/converted.xlsx')?.subarray(0, 2).toString(), 'PK');
  });

  test('is finished by --resume if the storage was away at the end, and failed inputs can be retried', async () => {
    const names = writeObject('three.txt', 'mira.kettle\n\u0020not a name\nbig.lantern\n');
    const line = argv`batch shortvideo/profile ${names} --demo -o ${to('late/three.ndjson')}`;
    server.fail(/PUT .*late/, 403);
    const first = await extract(line);
    assert.match(first.err, /s3:\/\/results\/late\/three\.ndjson cannot be written/);
    assert.match(first.err, /Continue with: .*s3:\/\/results\/late\/three\.ndjson.*--resume/);
    assert.equal(server.object('late/three.ndjson'), null);
    assertExit(await extract([...line, '--resume']), 7);
    const before = server.object('late/three.ndjson')?.toString();
    assert.equal(before?.split('\n').length, 4);
    assertExit(await extract([...line, '--retry-failed']), 7);
    assert.equal(server.object('late/three.ndjson')?.toString(), before);
  });

  test('of a watch is one object per run, with its time; a run without news leaves none, and no local file stays', async () => {
    const home = temporaryFolder();
    const names = writeObject('one.txt', 'mira.kettle\n');
    const options = argv`--once --demo --new w -o`;
    // Different names, because objects are distinguished by the second of their run, and both may begin in the same
    // one.
    const run = (name: string) =>
      outputOf(
        startCommand(['watch', 'shortvideo/profile', names, ...options, to(`watch/${name}.ndjson`)], {
          ...server.env,
          EXTRACT_HOME: home,
        }),
      );
    assert.equal((await run('a')).status, 0);
    const [put] = server.requests.filter((request) =>
      /^PUT \/results\/watch\/a\.\d{4}-[^/]*Z\.ndjson$/.test(request),
    );
    assert.ok(put);
    assert.ok((server.object(put.slice('PUT /results/'.length))?.length ?? 0) > 100);
    const count = server.requests.filter((request) => request.startsWith('PUT')).length;
    assert.equal((await run('b')).status, 0);
    const puts = server.requests.filter((request) => request.startsWith('PUT'));
    assert.deepEqual(puts.slice(count), []);
    const others = localFiles(home, 'buckets').filter((name) => name.includes('.'));
    assert.deepEqual(others, []);
  });

  test('receives a cover, a grid and each stage of a chain, which --resume uploads if the storage was away', async () => {
    const place = argv`--place ChIJtjc9rEc1bkcRzq9EdYiTlqE --size 2`;
    const words = writeObject('words.txt', 'tea\n');
    const then = argv`--then shortvideo/comments --then-limit 1`;
    const commands: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ['area.csv', argv`maps cover --query cafe --bbox 23.70,37.95,23.71,37.96`, ['area.csv']],
      ['ranks.html', argv`maps grid --query dentist ${place}`, ['ranks.html']],
      [
        'tea.ndjson',
        argv`batch shortvideo/search ${words} ${then}`,
        ['tea.1-shortvideo-search.ndjson', 'tea.2-shortvideo-comments.ndjson'],
      ],
      ['both.sqlite', argv`batch shortvideo/search ${words} ${then}`, ['both.sqlite']],
    ];
    for (const [name, command, objects] of commands) {
      const line = [...command, '--demo', '-o', to(`more/${name}`)];
      const last = objects.at(-1) ?? '';
      server.fail(new RegExp(`^PUT .*more/${last}`), 403);
      const failed = await extract(line);
      assert.match(failed.err, new RegExp(`s3://results/more/${last} cannot be written: .*403`));
      assert.match(failed.err, /Continue with: .*--resume/);
      assert.equal(server.object(`more/${last}`), null);
      assertExit(await extract([...line, '--resume']), 0);
      for (const object of objects) assert.ok((server.object(`more/${object}`)?.length ?? 0) > 100, object);
      assertExit(await extract(line), 2, /exists/);
      assert.equal((await extract([...line, '--overwrite'])).status, 0);
    }
    assert.match(server.object('more/ranks.html')?.toString() ?? '', /^<!doctype html>/i);
    rmSync(path.join(testHome(), 'buckets'), { recursive: true });
    const count = server.requests.filter((request) => request.startsWith('PUT')).length;
    for (const [name, command] of commands) {
      const other = await extract([...command, '--demo', '-o', to(`more/${name}`)]);
      assert.match(other.err, /s3:\/\/results\/more\/.*was not written by a batch in this data directory/);
    }
    const puts = server.requests.filter((request) => request.startsWith('PUT'));
    assert.equal(puts.length, count, 'nothing was sent');
  });

  test('has a feed, and the lines of an archive', async () => {
    const history = path.join(folder, 'history.sqlite');
    const names = writeObject('kept.txt', 'mira.kettle\n');
    const batch = argv`batch shortvideo/videos ${names} --demo --history ${history}`;
    assert.equal((await extract([...batch, '-o', path.join(folder, 'kept.ndjson')])).status, 0);
    const feed = argv`feed ${history} -o ${to('feeds/videos.atom')}`;
    assertExit(await extract(feed), 0);
    assert.match(server.object('feeds/videos.atom')?.toString() ?? '', /<feed/);
    assert.match((await extract(feed)).err, /s3:\/\/results\/feeds\/videos\.atom exists: --overwrite/);
    assert.equal((await extract([...feed, '--overwrite'])).status, 0);
    const [one] = await casesOf(shortvideoProfile);
    const archive = archiveIn(folder);
    const writer = await ArchiveWriter.open(archive, stoppedClock);
    const line = await lineOfCase(writer, shortvideoProfile, one as never);
    await writer.close();
    const derived = await extract(argv`from-archive ${archive} -o ${to('archives/again.ndjson')}`);
    assert.match(derived.err, /^s3:\/\/results\/archives\/again\.ndjson: 1 line from /);
    assert.deepEqual(JSON.parse(server.object('archives/again.ndjson')?.toString() ?? ''), JSON.parse(line));
    assert.deepEqual(localFiles(testHome(), 'uploads'), []);
  });

  test('is not waited for after Ctrl-C if the storage is silent; a later command deletes its parts', async () => {
    const uploads = path.join(testHome(), 'uploads');
    const line = argv`shortvideo profile mira.kettle --demo -o`;
    /** Runs a command, and interrupts it once it has sent the storage a request that never gets an answer. */
    const interrupted = async (args: readonly string[], silent: RegExp, alsoSilent?: RegExp) => {
      const stop = new AbortController();
      const count = () => server.requests.filter((request) => silent.test(request)).length;
      const earlier = count();
      server.hang(silent);
      const running = extract(args, { signal: stop.signal });
      while (count() === earlier) await sleep(20);
      if (alsoSilent !== undefined) server.hang(alsoSilent);
      const since = performance.now();
      stop.abort(new Interruption('SIGINT'));
      assert.equal((await running).status, 130);
      return performance.now() - since;
    };
    // The sweep of what another process left.
    mkdirSync(uploads, { recursive: true });
    const leave = (upload: string) => {
      const leftover = path.join(uploads, 'left.csv');
      const state = { extract_upload: 1, to: to('left.csv'), upload, mark: 'm', parts: [] };
      writeFileSync(`${leftover}.upload`, JSON.stringify(state));
      writeFileSync(leftover, '');
      utimesSync(leftover, 0, 0);
    };
    leave('gone');
    server.fail(/^DELETE .*left/, 403);
    assertExit(await extract([...line, to('swept.csv')]), 0);
    assert.ok((await interrupted([...line, to('swept.csv'), '--overwrite'], /^DELETE .*left/)) < 30_000);
    assert.deepEqual(localFiles(testHome(), 'uploads').sort(), ['left.csv', 'left.csv.upload']);
    assert.equal((await extract([...line, to('swept.csv'), '--overwrite'])).status, 0);
    assert.deepEqual(localFiles(testHome(), 'uploads'), []);
    // A multipart upload that cannot be aborted.
    const { data } = JSON.parse((await extract(line.slice(0, -1))).out);
    const row = JSON.stringify({
      ...{ input: { username: 'mira.kettle' }, data: { ...data, bio_description: 'x'.repeat(90_000) } },
    });
    const big = writeObject('big.ndjson', `${row}\n`.repeat(100));
    const convert = argv`convert ${big} ${to('big.csv')} --endpoint shortvideo/profile`;
    assert.ok((await interrupted(convert, /^PUT .*big/, /^DELETE .*big/)) < 30_000);
    const leftovers = localFiles(testHome(), 'uploads');
    assert.equal(leftovers.length, 2, 'the name of the file, and the ID of its upload');
    for (const name of leftovers) {
      assert.ok(statSync(path.join(uploads, name)).size < 1000);
      utimesSync(path.join(uploads, name), 0, 0);
    }
    assert.equal(server.uploads().length, 1);
    assert.equal((await extract([...line, to('swept.csv'), '--overwrite'])).status, 0);
    assert.deepEqual(localFiles(testHome(), 'uploads'), []);
    assert.deepEqual(server.uploads(), []);
  });

  test('is sent in parts while a batch runs; killed and resumed, it has each line once and each part is sent once', async () => {
    const home = temporaryFolder();
    // Some 20 MB of lines.
    const inputs = 900;
    const queries = Array.from({ length: inputs }, (_, at) => `bakery ${at}`);
    const names = writeObject('many.txt', queries.join('\n'));
    const key = 'many/lines.ndjson';
    const env = { ...server.env, EXTRACT_HOME: home };
    const line = argv`batch maps/places ${names} --demo --quiet -o ${to(key)}`;
    const part = (number: number) =>
      server.requests.filter((request) => request === `PUT /results/${key}?partNumber=${number}`).length;
    const killed = startCommand(line, env);
    const ended = once(killed, 'close');
    while (part(1) === 0 && killed.exitCode === null) await sleep(20);
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
    assert.equal(part(1), 1, 'the part that was there is not sent again');
    assert.deepEqual(server.uploads(), []);
    assert.equal(existsSync(state), false);
  });
});
