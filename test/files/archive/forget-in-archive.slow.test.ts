import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { WARCParser } from 'warcio';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import type { ArchivedReading } from '../../../lib/web/page-archive.js';
import { ArchiveReader } from '../../../src/files/archive/archive-reader.js';
import { ArchiveWriter } from '../../../src/files/archive/archive-writer.js';
import { forgetInArchive, forgetInUnfinished } from '../../../src/files/archive/forget-in-archive.js';
import { openWacz } from '../../../src/files/archive/wacz-file.js';
import { stoppedClock } from '../../support/cases.js';
import { fromSource } from '../../support/from-source.js';
import { refusalOf } from '../../support/server-answers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { archiveIn, exchange, lineOfCase, shortvideoProfile, verdicts } from './harness.js';

const traces = new Traces([parseSubject('tiktok:@zebrabaker')]);
const forget = (file: string, whom = traces) => forgetInArchive(file, whom, stoppedClock);

/** All that an archive holds as one text: its records unpacked, and its other files as they are. */
async function textOf(file: string): Promise<string> {
  const reader = await ArchiveReader.open(file);
  try {
    const texts = [readFileSync(file, 'latin1')];
    for await (const { record } of reader.records())
      texts.push([...record.fields].join('\n'), record.block.toString());
    return texts.join('\n');
  } finally {
    await reader.close();
  }
}

const reading = (pages: readonly string[], username: string): ArchivedReading => ({
  ...{
    endpoint: 'shortvideo/profile',
    identity: { username },
    limit: 1,
    position: { position: null, seen: [] },
  },
  fetches: pages.map((record) => ({
    url: 'https://www.example.com/',
    method: 'GET',
    body: null,
    by: 'network',
    record,
  })),
  ...{ fetched_at: '2026-11-05T00:00:00.000Z', next: null, error: null, version: '1' },
});

/** An archive of readings: whose each is, and the bodies of its pages with their addresses. */
async function archiveOf(
  folder: string,
  ...readings: readonly (readonly [
    username: string,
    ...pages: readonly (readonly [body: string, at?: string])[],
  ])[]
) {
  const file = archiveIn(folder);
  const archive = await ArchiveWriter.open(file, stoppedClock);
  for (const [username, ...pages] of readings) {
    const ids: string[] = [];
    for (const [body, at = 'a'] of pages)
      ids.push(
        await archive.addExchange(exchange(body, undefined, { url: `https://www.example.com/${at}` })),
      );
    await archive.addReading(reading(ids, username));
  }
  return { file, archive };
}

/** The exchanges that are left, in the order of the index, with the bodies that their records give. */
async function left(file: string) {
  const reader = await ArchiveReader.open(file);
  try {
    const readings: string[] = [];
    for await (const { reading: one } of reader.readings()) readings.push(String(one.identity.username));
    return {
      readings,
      kinds: [...reader.index.entries()].map(({ entry }) => `${entry.url.slice(24)} ${entry.mime}`),
    };
  } finally {
    await reader.close();
  }
}

describe('forgetting a subject in an archive', () => {
  test('leaves neither handle nor ID in it, and the results of others verify as before', async () => {
    const file = archiveIn(temporaryFolder());
    const archive = await ArchiveWriter.open(file, stoppedClock);
    const reviews = endpoints.find(({ path: at }) => at === 'maps/reviews') as Endpoint;
    const [profile] = await casesOf(shortvideoProfile);
    const [list] = await casesOf(reviews);
    const line = await lineOfCase(archive, shortvideoProfile, profile as never);
    const others = await lineOfCase(archive, reviews, list as never);
    await archive.close();
    const { id, username } = JSON.parse(line).data;
    assert.deepEqual(
      (await verdicts(file, [line, others])).map(({ status }) => status),
      ['equal', 'equal'],
    );
    const words = new RegExp(`(?<![\\w.])(?:${username}|${id})(?![\\w.])`, 'i');
    assert.match(await textOf(file), words);

    assert.ok((await forget(file, new Traces([parseSubject(`tiktok:@${username}`)]))) >= 3);
    assert.doesNotMatch(await textOf(file), words);
    assert.deepEqual(
      (await verdicts(file, [line, others])).map(({ status }) => status),
      ['missing', 'equal'],
    );
  });

  test('counts the records that went, also those of pages that only its readings needed', async () => {
    const { file, archive } = await archiveOf(
      temporaryFolder(),
      ['ZebraBaker', ['nobody 1', 'b']],
      ['other', ['by other'], ['hi @zebrabaker']],
      ['third', ['by third', 'c']],
    );
    await archive.addExchange(exchange('of zebrabaker, without a reading'));
    await archive.addExchange(
      exchange('of nobody, without a reading', undefined, { url: 'https://www.example.com/d' }),
    );
    await archive.close();
    assert.equal(await forget(file), 3 + 5 + 2);
    assert.deepEqual(await left(file), { readings: ['third'], kinds: ['c text/html', 'd text/html'] });
    assert.doesNotMatch(await textOf(file), /zebrabaker/i);
    const { mtimeMs } = statSync(file);
    assert.equal(await forget(file), 0, 'again there is nothing');
    assert.equal(statSync(file).mtimeMs, mtimeMs);
  });

  test('gives a body that others share to the first of them, and drops one that names the subject', async () => {
    const folder = temporaryFolder();
    const { file, archive } = await archiveOf(
      folder,
      ['zebrabaker', ['shared', '@zebrabaker'], ['by zebrabaker', 'x']],
      ['one', ['shared', '1']],
      ['two', ['shared', '2']],
      ['three', ['by zebrabaker', '3']],
      ['four', ['', '4']],
    );
    await archive.addExchange(exchange('', undefined, { url: 'https://www.example.com/@zebrabaker' }));
    await archive.close();
    const second = await ArchiveWriter.open(file, stoppedClock);
    await second.addExchange(exchange('shared', undefined, { url: 'https://www.example.com/5' }));
    await second.close();

    await forget(file);
    assert.deepEqual(await left(file), {
      readings: ['one', 'two', 'four'],
      kinds: ['1 text/html', '2 warc/revisit', '4 text/html', '5 warc/revisit'],
    });
    assert.doesNotMatch(await textOf(file), /zebrabaker/i);
    const { segments } = await openWacz(file);
    assert.deepEqual(
      segments.map(({ name }) => name),
      ['data.warc.gz'],
    );
    const [{ start, size } = { start: 0, size: 0 }] = segments;
    const read: string[] = [];
    for await (const record of new WARCParser(createReadStream(file, { start, end: start + size - 1 }))) {
      const payload = Buffer.from(await record.readFully(false)).toString();
      if (record.warcType === 'response') read.push(payload);
      if (record.warcType === 'revisit') read.push(`as ${record.warcRefersToTargetURI}`);
    }
    assert.deepEqual(read, ['shared', 'as https://www.example.com/1', '', 'as https://www.example.com/1']);
  });

  test('goes through what a killed run left, too, and clears what a killed forgetting left', async () => {
    const run = await archiveOf(temporaryFolder(), ['zebrabaker', ['c', 'c']], ['third', ['d', 'd']]);
    const unfinished = readFileSync(`${run.file}.warc.gz`);
    await run.archive.close();

    // The next run was killed while it wrote its last record, and a forgetting while it wrote its draft.
    const killed = archiveIn(temporaryFolder());
    const first = await archiveOf(path.dirname(killed), ['first', ['e', 'e']], ['zebrabaker', ['f', 'f']]);
    await first.archive.close();
    writeFileSync(`${killed}.warc.gz`, unfinished.subarray(0, -3));
    for (const name of ['', '.part', '.warc.gz'])
      writeFileSync(`${killed.replace('.wacz', '.forget.wacz')}${name}`, 'a draft, cut off');
    writeFileSync(`${killed}.part`, 'of zebrabaker');
    assert.deepEqual((await left(killed)).readings, ['first', 'zebrabaker', 'zebrabaker']);

    await forget(killed);
    assert.deepEqual(readdirSync(path.dirname(killed)), ['run.wacz']);
    assert.doesNotMatch(await textOf(killed), /zebrabaker/i);
    assert.deepEqual((await left(killed)).readings, ['first']);
  });

  test('has what stays of records without an archive on the disk before it takes their place', async (t) => {
    const run = await archiveOf(temporaryFolder(), ['zebrabaker', ['c', 'c']], ['third', ['d', 'd']]);
    const killed = archiveIn(temporaryFolder());
    writeFileSync(`${killed}.warc.gz`, readFileSync(`${run.file}.warc.gz`));
    await run.archive.close();
    const draft = `${killed}.warc.gz.forget`;
    const handle = await open(`${killed}.warc.gz`);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const synced: boolean[] = [];
    const { sync } = prototype;
    t.mock.method(prototype, 'sync', function (this: FileHandle) {
      synced.push(existsSync(draft));
      return sync.call(this);
    });
    assert.equal(await forgetInUnfinished(killed, traces), 3);
    assert.deepEqual(synced, [true]);
    assert.deepEqual((await left(killed)).readings, ['third']);
  });

  test('leaves the old archive where it is killed before the new one is whole', async () => {
    const { file, archive } = await archiveOf(
      temporaryFolder(),
      ['zebrabaker', ['a']],
      ['other', ['b', 'b']],
    );
    await archive.close();
    const before = readFileSync(file);
    const script = `
      import { forgetInArchive, forgetInUnfinished } from './src/files/archive/forget-in-archive.js';
      import { parseSubject } from './lib/suppressions/subject.js';
      import { Traces } from './lib/suppressions/traces.js';
      const clock = { now: () => process.kill(process.pid, 'SIGKILL') };
      await forgetInArchive(${JSON.stringify(file)}, new Traces([parseSubject('tiktok:@zebrabaker')]), clock);`;
    const killed = spawnSync(process.execPath, [...fromSource, '--input-type=module', '--eval', script]);
    assert.equal(killed.signal, 'SIGKILL', String(killed.stderr));
    assert.deepEqual(readFileSync(file), before);
    assert.ok(readdirSync(path.dirname(file)).includes('run.forget.wacz.warc.gz'));
    assert.equal(await forget(file), 3);
    assert.deepEqual(readdirSync(path.dirname(file)), ['run.wacz']);
    assert.deepEqual((await left(file)).readings, ['other']);
  });

  test('leaves an archive as it was where it is changed, written, or cannot be written anew', async () => {
    const folder = temporaryFolder();
    const { file, archive } = await archiveOf(folder, ['zebrabaker', ['a']]);
    assert.match((await refusalOf(forget(file))).message, /Another process writes/);
    await archive.close();
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    writeFileSync(file, bytes);
    assert.match((await refusalOf(forget(file))).message, /is not as it was written/);
    assert.deepEqual(readFileSync(file), bytes);
    assert.equal(existsSync(`${file}.lock`), false);
  });

  test('leaves an archive without a reading where all are about the subject', async () => {
    const { file, archive } = await archiveOf(temporaryFolder(), ['zebrabaker', ['a']]);
    await archive.close();
    assert.equal(await forget(file), 3);
    assert.deepEqual(await left(file), { readings: [], kinds: [] });
  });
});
