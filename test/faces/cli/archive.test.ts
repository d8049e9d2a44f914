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
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
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
    const verify = argv`verify ${archive} ${results}`;
    const unchanged = /^1 equal\. The archive sha256:[\da-f]{64} is unchanged since public-extract \S+ wrote/;
    assert.equal(assertExit(await extract(verify), 0, unchanged).out, 'line 1  equal\n');
    const value = JSON.parse(line);
    const { input, data } = value;
    const another = { ...value, data: { ...data, username: 'another' } };
    const failed = { input, error: { code: 'invalid_parameter' } };
    writeFileSync(results, ndjsonText([another, { input, data }, failed]));
    const lines = [
      'line 1  differs',
      `  data.username: then "another", now ${JSON.stringify(data.username)}`,
      'line 2  missing  it refers to no record',
      'line 3  unread  invalid_parameter, before a page was read\n',
    ];
    assert.equal(assertExit(await extract(verify), 7).out, lines.join('\n'));
    const { out, err } = await extract(argv`${verify} --json --quiet`);
    const difference = { field: 'data.username', was: 'another', now: data.username };
    assert.deepEqual([ndjsonValues(out)[0].differences, err], [[difference], '']);
  });

  test('refuse anything that is not a result or an archive', async () => {
    const { folder, archive, results } = await sample();
    writeFileSync(results, 'username,follower_count\n');
    const verify = (file: string) => extract(['verify', file, results]);
    assertExit(await verify(archive), 2, /Line 1 of .* is not a result/);
    assertExit(await verify(path.join(folder, 'none.wacz')), 2, /No such archive/);
    writeFileSync(archive, 'PK');
    assertExit(await verify(archive), 8);
  });

  test('read the lines again, into a new file', async () => {
    const { folder, archive, line } = await sample();
    const derived = await extract(['from-archive', archive]);
    assert.deepEqual(JSON.parse(derived.out), JSON.parse(line));
    const again = argv`from-archive ${archive} -o ${path.join(folder, 'again.ndjson')}`;
    for (const status of [0, 2]) assertExit(await extract(again), status);
    assertExit(await extract([...again, '--overwrite']), 0);
  });

  test('store samples marked as such, so that everything can be tried', async () => {
    const folder = temporaryFolder();
    const [file, results] = [path.join(folder, 'run.wacz'), path.join(folder, 'run.ndjson')];
    const batch = argv`batch shortvideo/profile - -o ${results} --demo --archive ${file}`;
    const ran = await extract(batch, { stdin: 'nasa\n' });
    assertExit(ran, 0, /1 exchange \(all of sample data\), sha256:/);
    assertExit(await extract(['verify', file, results]), 0);
    const archive = await EvidenceReader.open(file);
    const { value: next } = await archive.readings().next();
    const exchange = await archive.record(String(next?.reading.fetches[0]?.record));
    await archive.close();
    assert.deepEqual([next?.reading.sample, exchange?.fields.get('extract-by')], [true, 'sample']);
  });
});
