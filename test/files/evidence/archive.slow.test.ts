import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { casesOf } from '../../../lib/samples.js';
import { EvidenceReader } from '../../../src/files/evidence/evidence-reader.js';
import { EvidenceWriter } from '../../../src/files/evidence/evidence-writer.js';
import { stoppedClock } from '../../support/cases.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { archiveIn, exchange, lineOfCase, shortvideoProfile, verdicts } from './harness.js';

/** An archive of the sample of a profile, and its line. */
async function sampleArchive(folder: string) {
  const file = archiveIn(folder);
  const archive = await EvidenceWriter.open(file, stoppedClock);
  const [one] = await casesOf(shortvideoProfile);
  const line = await lineOfCase(archive, shortvideoProfile, one as never);
  return { file, archive, line };
}

/** Every record of what a killed run left, or of a whole archive. */
async function recordsIn(file: string) {
  const reader = await EvidenceReader.open(file);
  try {
    return [...reader.index.entries()].length;
  } finally {
    await reader.close();
  }
}

describe('an archive', () => {
  test('detects any changed byte', async () => {
    const folder = temporaryFolder();
    const file = archiveIn(folder);
    const archive = await EvidenceWriter.open(file, stoppedClock);
    await archive.addExchange(exchange('small'));
    await archive.close();
    await recordsIn(file);
    const content = readFileSync(file);
    const changed = path.join(folder, 'changed.wacz');
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = Buffer.from(content);
        bytes.writeUInt8(bytes.readUInt8(at) ^ by, at);
        writeFileSync(changed, bytes);
        await assert.rejects(EvidenceReader.open(changed), /was altered/, `byte ${at}`);
      }),
      { numRuns: 300 },
    );
  });

  test('shows a line that was changed, and a line of another run', async () => {
    const { file, archive, line } = await sampleArchive(temporaryFolder());
    await archive.close();
    const value = JSON.parse(line);
    value.data.follower_count += 1;
    const elsewhere = JSON.parse(line);
    elsewhere.sources[0].records = ['urn:uuid:0'];
    const verdictList = await verdicts(file, [line, JSON.stringify(value), JSON.stringify(elsewhere)]);
    const statuses = verdictList.map(({ status }) => status);
    assert.deepEqual(statuses, ['equal', 'differs', 'missing']);
    assert.deepEqual(verdictList[1]?.differences, [
      { field: 'data.follower_count', was: value.data.follower_count, now: value.data.follower_count - 1 },
    ]);
  });

  test('shows the fields that another version of a reader reads otherwise', async () => {
    const { file, archive, line } = await sampleArchive(temporaryFolder());
    await archive.close();
    const mended: Endpoint = {
      ...shortvideoProfile,
      async read(request) {
        const reading = await shortvideoProfile.read(request);
        return { ...reading, data: { ...(reading.data as object), bio_description: 'read otherwise' } };
      },
    };
    const [verdict] = await verdicts(file, [line], [mended]);
    assert.equal(verdict?.status, 'differs');
    const rows = verdict?.differences.map(({ field, now }) => [field, now]);
    assert.deepEqual(rows, [['data.bio_description', 'read otherwise']]);
    const broken: Endpoint = { ...shortvideoProfile, read: async () => ({ data: {} }) };
    const [changed] = await verdicts(file, [line], [broken]);
    assert.equal(changed?.differences[0]?.now, 'error platform_changed');
  });

  test('keeps a body once, also over two runs, and takes cookies out', async () => {
    const file = archiveIn(temporaryFolder());
    const big = 'x'.repeat(100) + Math.PI;
    for (const run of [0, 1]) {
      const archive = await EvidenceWriter.open(file, stoppedClock);
      for (const at of [0, 1, 2]) await archive.addExchange(exchange(big, Date.UTC(2026, 10, 5, run, at)));
      await archive.close();
    }
    const reader = await EvidenceReader.open(file);
    try {
      const entries = [...reader.index.entries()];
      const mimes = entries.map(({ entry }) => entry.mime);
      assert.deepEqual(mimes, ['text/html', ...Array.from({ length: 5 }, () => 'warc/revisit')]);
      for (const { id } of entries) {
        const record = await reader.record(id);
        assert.equal(record?.fields.get('extract-removed'), 'set-cookie');
        assert.doesNotMatch(String(record?.block), /hidden/);
      }
      const names = reader.wacz?.segments.map(({ name }) => name);
      assert.deepEqual(names, ['data.warc.gz', 'data-2.warc.gz']);
    } finally {
      await reader.close();
    }
    assert.equal(existsSync(`${file}.warc.gz`), false);
    assert.equal(existsSync(`${file}.lock`), false);
  });

  test('is read up to where a killed run stopped, and continued from there', async () => {
    const folder = temporaryFolder();
    const { file, archive, line } = await sampleArchive(folder);
    const unfinished = `${file}.warc.gz`;
    const before = statSync(unfinished).size;
    await archive.addExchange(exchange('a page after it'));
    const size = statSync(unfinished).size;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: before, max: size }), async (cut) => {
        const leftover = path.join(temporaryFolder(), 'left.wacz');
        writeFileSync(`${leftover}.warc.gz`, readFileSync(unfinished).subarray(0, cut));
        const [verdict] = await verdicts(leftover, [line]);
        assert.equal(verdict?.status, 'equal');
        const next = await EvidenceWriter.open(leftover, stoppedClock);
        await next.addExchange(exchange('another'));
        await next.close();
        assert.equal((await verdicts(leftover, [line]))[0]?.status, 'equal');
        assert.equal(await recordsIn(leftover), cut === size ? 3 : 2);
      }),
      { numRuns: 25, examples: [[before], [size]] },
    );
    // A byte in the middle is no end of a killed run: nothing of it is thrown away.
    const damaged = path.join(folder, 'damaged.wacz');
    copyFileSync(unfinished, `${damaged}.warc.gz`);
    const bytes = readFileSync(unfinished);
    bytes.writeUInt8(bytes.readUInt8(before - 20) ^ 1, before - 20);
    writeFileSync(`${damaged}.warc.gz`, bytes);
    await assert.rejects(EvidenceWriter.open(damaged, stoppedClock), /is not the start of a readable record/);
    await assert.rejects(EvidenceReader.open(damaged), /is not the start of a readable record/);
    await archive.close();
  });

  test('is written by one process at a time, under a name with its extension', async () => {
    const { file, archive } = await sampleArchive(temporaryFolder());
    await assert.rejects(EvidenceWriter.open(file, stoppedClock), /Another process is writing/);
    await archive.close();
    await assert.rejects(EvidenceWriter.open(`${file}.zip`, stoppedClock), /must end in \.wacz/);
    await assert.rejects(EvidenceReader.open(`${file}.zip`), /No such archive/);
    const empty = await EvidenceWriter.open(path.join(temporaryFolder(), 'empty.wacz'), stoppedClock);
    assert.equal(await empty.close(), null);
  });
});
