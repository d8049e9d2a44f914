import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { argv, assertExit, extract, type Surroundings, testHome } from '../../../support/cli.js';
import { anAnswer, sourcesOf } from '../../../support/invented-rows.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const fresh = newFiles(folder);

const words = (text = '{"query":"harbour","client":"Bakery"}\n') => fresh('in.ndjson', text);
const two = words('{"query":"a"}\n{"query":"b"}\n');

const lines = (file: string) => ndjsonValues(readFileSync(file, 'utf8'));
/** The files that belong to an output. */
const filesOf = (output: string) =>
  readdirSync(folder).filter((name) => name.startsWith(path.basename(output, path.extname(output).slice(1))));

/** `tea.ndjson` → the files of its stages. */
const stage = (output: string, name: string) => output.replace(/\.(\w+)$/, `.${name}.$1`);
const searched = (output: string) => stage(output, '1-shortvideo-search');
const commented = (output: string) => stage(output, '2-shortvideo-comments');

const demoChain = (input: string, output: string, ...args: string[]) =>
  extract(argv`batch shortvideo/search ${input} --then shortvideo/comments -o ${output} --demo ${args}`);

/** The id of a video: `a1`, or `2` of those that all searches find. */
const idOf = (query: string, at: number) => `75730000000000000${['', 'a', 'b'].indexOf(query)}${at}`;
const videosOf = (query: string) => [1, 2, 3, 4, 5].map((at) => idOf(at % 2 === 0 ? '' : query, at));

interface Run extends Surroundings {
  readonly fails?: (call: string) => boolean;
}

/** Searches find five videos each, every second of them the same; each video has one comment. */
async function run(args: readonly string[], { fails = () => false, ...surroundings }: Run = {}) {
  const calls: string[] = [];
  const ran = await extract(argv`batch shortvideo/search ${args}`, {
    extractor: {
      async answer({ path: name, credits }, params) {
        const call = `${name} ${params.query ?? params.id}`;
        calls.push(call);
        if (fails(call)) throw new ExtractError('platform_timeout');
        const ids = name === 'shortvideo/search' ? videosOf(String(params.query)) : [`c${params.id}`];
        const data = ids.map((id) => ({ id, video_description: null }));
        return anAnswer(data, { sources: sourcesOf(ids), meta: { credits_charged: credits } });
      },
    },
    ...surroundings,
  });
  return { ...ran, calls };
}

/** What `--dry-run` prints on a machine with a limited number of credits. */
const pricedPlan = async (args: readonly string[]) =>
  JSON.parse((await run([...args, '--dry-run'], { config: { localCredits: 'fixed' } })).out).data;

describe('a chain', () => {
  test('calls the next endpoint for the items of the answers, with the user’s columns', async () => {
    const output = fresh('ndjson');
    const said = /Stage 1 of 2: shortvideo\/search → .*Stage 2 of 2: shortvideo\/comments → /s;
    assertExit(await demoChain(words(), output), 0, said);
    const [found] = lines(searched(output));
    const comments = lines(commented(output)).map(({ input, own }) => [input.id, own]);
    assert.deepEqual(
      comments,
      found.data.map(({ id }: { id: string }) => [id, { client: 'Bakery' }]),
    );
  });

  test('has a third stage, and every kind of file', async () => {
    for (const kind of ['ndjson', 'json', 'csv', 'tsv', 'xlsx', 'parquet']) {
      const output = fresh(kind);
      assertExit(await demoChain(words(), output, ...argv`--then shortvideo/video --then-limit 2`), 0);
      for (const name of ['1-shortvideo-search', '2-shortvideo-comments', '3-shortvideo-video'])
        assert.ok(filesOf(output).includes(path.basename(stage(output, name))), `${kind} ${name}`);
      if (kind !== 'xlsx') continue;
      const book = await readXlsx(readFileSync(stage(output, '3-shortvideo-video')));
      assert.ok((book.sheets[0]?.rows.length ?? 0) > 1);
    }
  });

  test('into a database is one file with a table a stage', async () => {
    const output = fresh('sqlite');
    assertExit(await demoChain(words(), output), 0);
    const count = (table: string) => queryFile(output, `SELECT * FROM ${table}`).length;
    assert.ok(count('shortvideo_search') > 1);
    assert.ok(count('shortvideo_comments') > 1);
    assert.equal(count('extract_runs'), 2);
    assertExit(await demoChain(words(), output), 2);
    assertExit(await demoChain(words(), output, '--overwrite'), 0);
    for (const wrong of [path.join(folder, 'absent'), fresh('in.csv', 'qery\nharbour\n')]) {
      assertExit(await demoChain(wrong, output, '--overwrite'), 2);
      assert.equal(count('extract_runs'), 2, 'what was there is not removed for inputs that are none');
    }
    assertExit(await demoChain(words(), output, '--append'), 0);
    assert.equal(count('extract_runs'), 4);
  });

  test('requests each item once, and a limited number of each answer', async () => {
    for (const kind of ['ndjson', 'csv']) {
      const args = argv`${two} --then shortvideo/comments --then-limit 3 -o ${fresh(kind)}`;
      const { calls } = assertExit(await run(args), 0);
      const asked = calls.filter((call) => call.startsWith('shortvideo/comments')).sort();
      const videos = [idOf('', 2), idOf('a', 1), idOf('a', 3), idOf('b', 1), idOf('b', 3)];
      const expected = videos.map((id) => `shortvideo/comments ${id}`);
      assert.deepEqual(asked, expected, kind);
    }
  });

  test('shows the minimum and maximum cost first, and --dry-run makes no request', async () => {
    const args = argv`${two} --then shortvideo/comments --then-limit 3 -o ${fresh('ndjson')}`;
    const { out, calls } = assertExit(await run([...args, '--dry-run']), 0);
    assert.deepEqual(calls, []);
    assert.partialDeepStrictEqual(JSON.parse(out).data.stages, [
      { inputs_at_least: 2, inputs_at_most: 2 },
      { inputs_at_least: 0, inputs_at_most: 6 },
    ]);
    assert.doesNotMatch(out, /credits|balance/);
    const priced = await pricedPlan(args);
    const [search, comments] = priced.stages.map((one: { credits_each: number }) => one.credits_each);
    const bounds = [priced.credits_at_least, priced.credits_at_most];
    assert.deepEqual(bounds, [2 * search, 2 * search + 6 * comments]);
    assert.match((await run(args)).err, /Stage 2, shortvideo\/comments: 0 to 6 inputs\./);
    const all = await pricedPlan(argv`${args.slice(0, 3)} --all -o ${fresh('ndjson')}`);
    assert.equal(all.credits_at_most, null);
  });

  test('spends no more than its limit over all stages, and continues with --resume', async () => {
    const output = fresh('ndjson');
    const args = argv`${words('{"query":"a"}\n')} --then shortvideo/comments -o ${output}`;
    const { stages } = await pricedPlan(args);
    const [search, comments] = stages.map((one: { credits_each: number }) => one.credits_each);
    const limit = String(search + 2 * comments);
    const stopped = await run([...args, '--limit-credits', limit]);
    assertExit(stopped, 3, new RegExp(`would exceed the limit of ${limit}; ${limit} are spent`));
    assert.equal(stopped.calls.length, 3);
    assert.match(stopped.err, /Continue with: extract batch .*--then shortvideo\/comments.* --resume/);
    const resumed = assertExit(await run([...args, '--resume']), 0);
    assert.equal(resumed.calls.length, 3);
    assert.equal(new Set([...stopped.calls, ...resumed.calls]).size, 6);
    assert.equal(lines(commented(output)).length, 5);
  });

  test('continues past failed inputs, and reports them at the end', async () => {
    const output = fresh('ndjson');
    const args = argv`${words('{"query":"a"}\n{"query":"no"}\n')} --then shortvideo/comments -o ${output}`;
    const fails = (call: string) => call.endsWith(' no') || call.endsWith(idOf('a', 1));
    assertExit(await run(args, { fails }), 7, /Skipped a line of the input that is an error/);
    const failed = lines(commented(output)).map(({ error }) => error !== undefined);
    assert.deepEqual(failed.sort(), [false, false, false, false, true]);
  });

  test('with pseudonyms requests the real names, and leaves none of them behind', async () => {
    const input = fresh('in.ndjson', '{"username":"nasa","client":"Bakery"}\n');
    for (const ending of ['ndjson', 'csv', 'xlsx', 'sqlite']) {
      const output = fresh(ending);
      const args = argv`batch shortvideo/profile ${input} --then shortvideo/videos -o ${output}`;
      const names = argv`${args} --demo --then-limit 1 --pseudonymise author,username`;
      assertExit(await extract(names), 0);
      const files = filesOf(output);
      assert.ok(files.length > 2, String(files));
      for (const name of files)
        assert.equal(readFileSync(path.join(folder, name), 'latin1').includes('nasa'), false, name);
      assertExit(
        await extract([...names, '--resume']),
        0,
        /^The chain is finished; there is nothing to .*\n$/,
      );
      if (ending !== 'ndjson') continue;
      const [video] = lines(stage(output, '2-shortvideo-videos'));
      assert.ok(video?.data.length > 0);
      assert.deepEqual(video?.own, { client: 'Bakery' });
      assert.deepEqual(readdirSync(path.join(testHome(), 'chains')), []);
    }
  });

  const pictures = path.join(folder, 'pictures');

  test('saves the pictures of the stages that have some', async () => {
    const chain = argv`batch shortvideo/search ${words()} --demo --then shortvideo/video`;
    const last = argv`--then shortvideo/comments --then-limit 1 -o ${fresh('ndjson')}`;
    const { err } = assertExit(await extract(argv`${chain} ${last} --media ${pictures} --captions`), 0);
    const names = readdirSync(pictures).join();
    assert.ok(names.includes('.vtt') && names.includes('manifest.ndjson'), names);
    assert.equal(err.match(/Media: /g)?.length, 2, err);
    const none = argv`batch linkedin/jobs ${words()} --demo --then linkedin/company -o ${fresh('ndjson')}`;
    const refused = await extract([...none, '--media', pictures]);
    assertExit(refused, 2, /pronetwork\/company have no pictures or videos to save/);
  });

  test('that is impossible is refused before any request', async () => {
    const there = fresh('ndjson');
    writeFileSync(commented(there), '{}\n');
    const comments = argv`--then shortvideo/comments -o ${fresh('ndjson')}`;
    const key = argv`--pseudonymise author --pseudonym-key ${path.join(folder, 'missing.key')}`;
    for (const [args, said] of [
      [argv`--then shortvideo/comments`, /--then needs the output file/],
      [argv`--then shortvideo/coments -o ${fresh('ndjson')}`, /Unknown endpoint/],
      [argv`--then shortvideo/comments -o ${there}`, /2-shortvideo-comments\.ndjson exists/],
      [argv`${comments} --retry-failed`, /cannot be combined with --retry-failed/],
      [argv`${comments} --notify https://hooks.example/a`, /cannot be combined with --notify/],
      [argv`${comments} ${key}`, /missing\.key does not exist/],
      [argv`--then-limit 3 -o ${fresh('ndjson')}`, /--then-limit requires --then/],
    ] as const)
      assert.deepEqual(assertExit(await run([words(), ...args]), 2, said).calls, []);
  });
});
