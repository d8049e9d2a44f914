import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { casesOf } from '../../../lib/samples.js';
import { EvidenceReader } from '../../../src/files/evidence/evidence-reader.js';
import { EvidenceWriter } from '../../../src/files/evidence/evidence-writer.js';
import { archiveIn, lineOfCase, shortvideoProfile } from '../../files/evidence/harness.js';
import { stoppedClock } from '../../support/cases.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { ndjsonText } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The evidence of a sample, and its result in a file next to it. */
async function sample() {
  const folder = temporaryFolder();
  const archive = archiveIn(folder);
  const writer = await EvidenceWriter.open(archive, stoppedClock);
  const [one] = await casesOf(shortvideoProfile);
  const line = await lineOfCase(writer, shortvideoProfile, one as never);
  await writer.close();
  const results = path.join(folder, 'results.ndjson');
  writeFileSync(results, `${line}\n`);
  return { folder, archive, results, line };
}

describe('the commands of an archive', () => {
  test('say a line for each line, and end with a status', async () => {
    const { archive, results, line } = await sample();
    const equal = await extract(['verify', archive, results]);
    assert.deepEqual([equal.status, equal.out], [0, 'line 1  equal\n']);
    assert.match(
      equal.err,
      /^1 equal\. The archive sha256:[\da-f]{64} is unchanged since public-extract \S+ wrote it\./,
    );
    const value = JSON.parse(line);
    const { input, data } = value;
    const another = { input, data: { ...data, username: 'another' } };
    const failed = { input, error: { code: 'invalid_parameter' } };
    writeFileSync(results, ndjsonText([{ ...value, ...another }, { input, data }, failed]));
    const { out } = assertExit(await extract(['verify', archive, results]), 7);
    assert.deepEqual(out.trim().split('\n'), [
      'line 1  differs',
      `  data.username: then "another", now ${JSON.stringify(value.data.username)}`,
      'line 2  missing  it refers to no record',
      'line 3  unread  invalid_parameter, before a page was read',
    ]);
    const quiet = await extract(argv`verify ${archive} ${results} --json --quiet`);
    assert.deepEqual(JSON.parse(quiet.out.split('\n')[0] ?? '').differences, [
      { field: 'data.username', was: 'another', now: value.data.username },
    ]);
    assert.equal(quiet.err, '');
  });

  test('refuse anything that is not a result or an archive', async () => {
    const { folder, archive, results } = await sample();
    writeFileSync(results, 'username,follower_count\n');
    assertExit(await extract(['verify', archive, results]), 2, /Line 1 of .* is not a result/);
    assertExit(await extract(['verify', path.join(folder, 'none.wacz'), results]), 2, /No such archive/);
    writeFileSync(archive, 'PK');
    assert.equal((await extract(['verify', archive, results])).status, 8);
  });

  test('read the lines again, into a new file', async () => {
    const { folder, archive, line } = await sample();
    const derived = await extract(['from-archive', archive]);
    assert.deepEqual(JSON.parse(derived.out), JSON.parse(line));
    const output = path.join(folder, 'again.ndjson');
    assert.equal((await extract(argv`from-archive ${archive} -o ${output}`)).status, 0);
    assert.equal((await extract(argv`from-archive ${archive} -o ${output}`)).status, 2);
    assert.equal((await extract(argv`from-archive ${archive} -o ${output} --overwrite`)).status, 0);
  });

  test('store samples marked as such, so that everything can be tried', async () => {
    const folder = temporaryFolder();
    const [file, results, names] = ['run.wacz', 'run.ndjson', 'names.txt'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    writeFileSync(names, 'nasa\n');
    const ran = await extract(argv`batch shortvideo/profile ${names} -o ${results} --demo --archive ${file}`);
    assertExit(ran, 0, /1 exchange \(all of sample data\), sha256:/);
    assert.equal((await extract(['verify', file, results])).status, 0);
    const archive = await EvidenceReader.open(file);
    const { value: next } = await archive.readings().next();
    const exchange = await archive.record(String(next?.reading.fetches[0]?.record));
    await archive.close();
    assert.deepEqual([next?.reading.sample, exchange?.fields.get('extract-by')], [true, 'sample']);
  });
});
