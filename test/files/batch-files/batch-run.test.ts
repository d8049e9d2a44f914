import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { ownerText, thisProcess } from '../../../lib/runtime/process-owner.js';
import { batchPaths } from '../../../src/files/batch-files/batch-paths.js';
import { openBuiltFile } from '../../../src/files/batch-files/built-file.js';
import { resultFile } from '../../../src/files/batch-files/result-output.js';
import { ndjsonText } from '../../support/ndjson.js';
import { thingsEndpoint } from '../../support/test-client.js';
import { batchRuns, codeOf, inputOf, many, missing, thing, type Wanted } from './batch-runs.js';

const runs = batchRuns();
const { run, stoppedAt, text, lines, names, spent } = runs;
const things = thingsEndpoint(async ({ name }) => {
  if (missing.has(name)) throw new ExtractError('place_not_found');
  return { data: [{ name: `${name}-a` }, { name: `${name}-b` }], ids: [`${name}-a`, `${name}-b`] };
});

test('a batch writes the lines of the contract, in order, one for each input', async () => {
  missing.add('lost');
  const ended = await run('{"name":"a"}\n\n{"name":"lost"}\n{"title":"b"}\nnot json\n{"name":"noted"}');
  assert.equal(
    text(),
    [
      '{"input":{"name":"a"},"data":{"name":"a","note":null}}',
      '{"input":{"name":"lost"},"error":{"type":"not_found","code":"place_not_found","message":"There is no lost. Check the ID; places are merged and removed.","docs":"https://docs.test/docs/errors/place_not_found","request_id":"batch_x:1"}}',
      '{"input":{"title":"b"},"error":{"type":"invalid_request","code":"renamed_parameter","message":"Line 4: The parameter title is now called name. Use the new name.","docs":"https://docs.test/docs/errors/renamed_parameter","request_id":"batch_x:2"}}',
      '{"input":"not json","error":{"type":"invalid_request","code":"invalid_body","message":"Line 5 is not a JSON object of parameters. Correct that line.","docs":"https://docs.test/docs/errors/invalid_body","request_id":"batch_x:3"}}',
      '{"input":{"name":"noted"},"data":{"name":"noted","note":"yes"}}',
      '',
    ].join('\n'),
  );
  const { ok, failed, charged, givenBack } = ended.totals;
  assert.deepEqual([ended.finished, ended.error, ok, charged, givenBack], [true, null, 2, 6, 3]);
  assert.deepEqual(failed, { place_not_found: 1, renamed_parameter: 1, invalid_body: 1 });
});

describe('a resumed batch', () => {
  test('continues after the last line, to the same bytes at the same price', async () => {
    missing.add('name7');
    const input = inputOf(many(100));
    const first = await stoppedAt(20, input);
    assert.equal(first.finished, false);
    assert.ok(first.totals.inputs >= 20 && first.totals.inputs < 40);
    const second = await run(input, { mode: 'resume' });
    assert.equal(second.finished, true);
    const disturbed = text();
    assert.equal(await spent(), 99 * 3);
    runs.output = path.join(runs.home, 'calm.ndjson');
    const calm = await run(input);
    assert.equal(disturbed, text());
    assert.deepEqual(second.totals, calm.totals);
  });

  test('repairs a truncated last line, and drops unconfirmed lines', async () => {
    const input = inputOf(many(30));
    await stoppedAt(10, input);
    writeFileSync(runs.output, '{"input":{"name":"name9', { flag: 'a' });
    await run(input, { mode: 'resume' });
    assert.deepEqual(names(), many(30));
  });

  test('may begin with --resume, and has nothing to do when it is done', async () => {
    const input = inputOf(many(5));
    assert.equal((await run(input, { mode: 'resume' })).totals.ok, 5);
    const before = text();
    const again = await run(input, { mode: 'resume' });
    assert.deepEqual([again.finished, again.totals.ok, text(), await spent()], [true, 5, before, 15]);
  });

  test('refuses another input, and changes nothing', async () => {
    await stoppedAt(10, inputOf(many(30)));
    const before = [text(), await spent()];
    for (const other of [inputOf(['other', ...many(29)]), inputOf(many(3))]) {
      const ended = await run(other, { mode: 'resume' });
      assert.match(String(ended.error), /has changed since the batch was started/);
      assert.deepEqual([text(), await spent()], before);
    }
    assert.equal((await run(inputOf(many(30)), { mode: 'resume' })).finished, true);
  });

  for (const [title, other, message] of [
    ['another endpoint', { endpoint: things, mode: 'resume' }, /started with maps\/thing/],
    ['other pages', { all: true, mode: 'resume' }, /started without --all/],
    ['another stage', { thenLimit: 3, mode: 'resume' }, /started without --then-limit/],
    ['retries before its end', { mode: 'retry' }, /use --resume before/],
    ['a new batch', { mode: 'begin' }, /not finished: --resume continues it/],
  ] as readonly (readonly [string, Wanted, RegExp])[])
    test(`refuses ${title}`, async () => {
      await stoppedAt(10, inputOf(many(30)));
      await assert.rejects(run(inputOf(['z']), other), { code: 'invalid_parameter', message });
    });

  test('is overwritten on demand alone', async () => {
    await stoppedAt(10, inputOf(many(30)));
    assert.equal((await run(inputOf(['z']), { mode: 'overwrite' })).finished, true);
    const message = /exists and is finished: --retry-failed .*, --overwrite starts over/;
    await assert.rejects(run(inputOf(['y'])), { code: 'invalid_parameter', message });
    assert.equal(lines().length, 1);
  });

  test('begins in no file that is there already, not even in an empty one', async () => {
    for (const content of ['precious\n', '']) {
      writeFileSync(runs.output, content);
      const message = 'out.ndjson exists. Choose another file, or replace it with --overwrite.';
      await assert.rejects(run(inputOf(['a'])), { code: 'invalid_parameter', message });
      for (const mode of content === '' ? [] : (['resume', 'retry'] as const))
        await assert.rejects(run('', { mode }), { message: /no checkpoint/ });
      assert.equal(readFileSync(runs.output, 'utf8'), content);
      assert.equal(existsSync(`${runs.output}.checkpoint`), false);
    }
    assert.equal((await run(inputOf(['a']), { mode: 'resume' })).finished, true);
  });

  test('an overwrite that cannot reach its database is refused, and leaves no lock', async () => {
    const file = path.join(runs.home, 'out.sqlite');
    writeFileSync(file, 'no database');
    const built = {
      endpoint: thing,
      append: true,
      sources: false,
      onlyNew: false,
      kind: 'sqlite',
      file,
    } as const;
    const batch = { endpoint: thing.path, shape: { output: 'sqlite', all: false, flatten: false } } as const;
    const opening = { mode: 'overwrite', clock: systemClock, batch } as const;
    const message = /^The database cannot be used: it is not an SQLite database\./;
    for (const _ of [1, 2])
      await assert.rejects(openBuiltFile(resultFile(built, systemClock), opening), { message });
  });

  test('is written by one process at a time', async () => {
    const held = await lockFile(`${runs.output}.checkpoint.lock`);
    const message = /^Another process is writing out\.ndjson\. Wait for/;
    await assert.rejects(run(inputOf(['a'])), { message });
    held?.release();
    assert.equal((await run(inputOf(['a']))).finished, true);
  });

  for (const [left, content] of [
    ['empty', ''],
    ['of an earlier version', ownerText(thisProcess())],
    ['that is cut off', '["host","bo'],
  ] as const)
    test(`is not blocked by a stale lock file ${left}`, async () => {
      writeFileSync(`${runs.output}.checkpoint.lock`, content);
      assert.equal((await run(inputOf(['a']))).finished, true);
      assert.equal(existsSync(`${runs.output}.checkpoint.lock`), false);
    });

  test('a limit ends it at the same position, however often it is resumed', async () => {
    const input = inputOf(many(40));
    const limited = { options: { limitCredits: 60 } };
    await stoppedAt(8, input, limited);
    const ended = await run(input, { mode: 'resume', ...limited });
    assert.deepEqual([codeOf(ended), lines().length, await spent()], ['insufficient_credits', 20, 60]);
    const further = await run(input, { mode: 'resume', options: { limitCredits: 90 } });
    assert.deepEqual([further.totals.charged, await spent()], [90, 90]);
  });
});

describe('the failed inputs of a batch', () => {
  const forty = many(40);

  test('are retried, and the file is rewritten in order', async () => {
    for (const name of ['name0', 'name11', 'name12', 'name39']) missing.add(name);
    const input = inputOf(forty);
    await run(input);
    assert.equal(lines().filter(({ error }) => error !== undefined).length, 4);
    missing.delete('name11');
    missing.delete('name39');
    const money = await spent();
    const { finished, totals } = await run(input, { mode: 'retry' });
    const { ok, failed, charged } = totals;
    assert.deepEqual([finished, ok, failed, charged], [true, 38, { place_not_found: 2 }, 38 * 3]);
    assert.equal(await spent(), money + 6);
    const rows = lines().map(({ input: { name }, error }) => [name, error?.code]);
    const expected = forty.map((name) => [name, missing.has(name) ? 'place_not_found' : undefined]);
    assert.deepEqual(rows, expected);
    assert.equal(existsSync(batchPaths(runs.output).retried), false);
    missing.clear();
    const last = await run(input, { mode: 'retry' });
    assert.deepEqual([last.totals.ok, last.totals.failed], [40, {}]);
    assert.equal(text(), ndjsonText(lines()));
  });

  test('once retried leave nothing for --resume to do, whatever follows the last of them', async () => {
    for (const name of ['name1', 'name4']) missing.add(name);
    const input = inputOf(many(10));
    await run(input);
    missing.delete('name1');
    for (const _ of ['some', 'none']) {
      const retried = await run(input, { mode: 'retry' });
      assert.equal(retried.totals.inputs, 10);
      const before = [text(), await spent()];
      const resumed = await run(input, { mode: 'resume' });
      const { inputs, ok, failed, charged } = resumed.totals;
      assert.deepEqual({ ...retried.totals, inputs, ok, failed, charged }, retried.totals);
      assert.deepEqual([resumed.finished, resumed.error], [true, null]);
      assert.deepEqual([text(), await spent()], before);
      missing.clear();
    }
    assert.equal((await run(inputOf(many(12)), { mode: 'resume' })).finished, true);
    assert.deepEqual(names(), many(12));
  });

  test('may be mended in the input before, and --resume finds nothing to do', async () => {
    const mended = inputOf(['a', 'b', 'c']);
    await run('{"name":"a"}\n{"nam\n{"name":"c"}\n');
    await run(mended, { mode: 'retry' });
    assert.deepEqual(names(), ['a', 'b', 'c']);
    const before = text();
    const { finished, error } = await run(mended, { mode: 'resume' });
    assert.deepEqual([finished, error, text()], [true, null, before]);
  });

  test('that were lists become a line for each item', async () => {
    missing.add('name1');
    const input = inputOf(many(3));
    await run(input, { endpoint: things, flatten: true });
    missing.clear();
    await run(input, { endpoint: things, flatten: true, mode: 'retry' });
    const items = many(3).flatMap((name) => [`${name}-a`, `${name}-b`]);
    assert.deepEqual(names(), items);
  });

  test('an interrupted retry leaves the old output unchanged, and resumes', async () => {
    for (const name of forty) if (name !== 'name3') missing.add(name);
    const input = inputOf(forty);
    await run(input);
    const old = text();
    missing.clear();
    const ended = await stoppedAt(20, input, { mode: 'retry' });
    assert.deepEqual([ended.finished, text()], [false, old]);
    await assert.rejects(run(input), { message: /not finished/ });
    const last = await run(input, { mode: 'resume' });
    assert.deepEqual([last.finished, last.totals.ok, await spent()], [true, 40, 120]);
    assert.deepEqual(names(), forty);
  });

  test('a run over them that was killed while it was put in place is put there the next time', async () => {
    missing.add('name1');
    const input = inputOf(many(3));
    await run(input);
    const { retried, retriedCheckpoint, checkpoint } = batchPaths(runs.output);
    const [head, done = ''] = readFileSync(checkpoint, 'utf8').trim().split('\n');
    writeFileSync(retried, input);
    const entry = {
      ...JSON.parse(done),
      ok: 3,
      failed: {},
      bad: [],
      bytes: Buffer.byteLength(input),
      done: true,
    };
    writeFileSync(retriedCheckpoint, `${head}\n${JSON.stringify(entry)}\n`);
    const ended = await run(input, { mode: 'resume' });
    assert.deepEqual([ended.totals.ok, text(), existsSync(retriedCheckpoint)], [3, input, false]);
  });

  test('an input that ends before them is refused, and the old output stays', async () => {
    missing.add('name30');
    await run(inputOf(forty));
    const old = text();
    const ended = await run(inputOf(many(10)), { mode: 'retry' });
    assert.match(String(ended.error), /ends before input 31/);
    assert.equal(text(), old);
  });

  test('are retried within a limit', async () => {
    missing.add('b');
    const input = inputOf(['a', 'b', 'c']);
    await run(input);
    missing.clear();
    const poor = await run(input, { mode: 'retry', options: { limitCredits: 8 } });
    assert.equal(codeOf(poor), 'insufficient_credits');
    const enough = await run(input, { mode: 'resume', options: { limitCredits: 9 } });
    assert.deepEqual([enough.error, enough.totals.charged, await spent()], [null, 9, 9]);
  });
});

/** The same numbers each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('whatever the order of --resume and --retry-failed', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    test(`each input has one line, in order, and is charged once (${seed})`, async () => {
      const random = seeded(seed);
      const each = many(8 + Math.floor(random() * 24));
      const input = inputOf(each);
      for (const name of each) if (random() < 0.4) missing.add(name);
      await stoppedAt(1 + Math.floor(random() * each.length), input);
      for (let step = 0; step < 10; step += 1) {
        for (const name of each) if (random() < 0.2) missing.delete(name);
        const mode = random() < 0.5 ? 'resume' : 'retry';
        const count = 1 + Math.floor(random() * each.length * 1.5);
        // A retry is refused as long as the batch is not finished.
        await stoppedAt(count, input, { mode }).catch((error: ExtractError) =>
          assert.match(error.message, /use --resume before/),
        );
      }
      missing.clear();
      for (const mode of ['resume', 'retry', 'resume'] as const) {
        const { finished, error } = await run(input, { mode });
        const written = lines().map((line) => line.input.name);
        assert.deepEqual([finished, error, written], [true, null, each]);
      }
      assert.deepEqual(names(), each);
      assert.equal(await spent(), each.length * 3);
    });
  }
});
