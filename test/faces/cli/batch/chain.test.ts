import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import type { Answer } from '../../../../lib/call/envelope.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../../src/faces/cli/context.js';
import { argv, assertExit, extract, testHome } from '../../../support/cli.js';
import { harbourMeta } from '../../../support/invented-rows.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const fresh = newFiles(folder);

const words = (text = '{"query":"harbour","client":"Bakery"}\n') => fresh('in.ndjson', text);

const lines = (file: string) => ndjsonValues(readFileSync(file, 'utf8'));

/** `tea.ndjson` → the files of its stages. */
const stage = (output: string, name: string) => output.replace(/\.(\w+)$/, `.${name}.$1`);
const searched = (output: string) => stage(output, '1-shortvideo-search');
const commented = (output: string) => stage(output, '2-shortvideo-comments');

const chain = (input: string, output: string, ...args: string[]) =>
  extract(argv`batch shortvideo/search ${input} --then shortvideo/comments -o ${output} ${args}`);

/** The id of a video: `a1`, or `2` of those that all searches find. */
const idOf = (query: string, at: number) => `75730000000000000${['', 'a', 'b'].indexOf(query)}${at}`;

/** Searches find five videos each, every second of them the same; each video has one comment. */
function platform(
  calls: string[],
  fails: (call: string) => boolean = () => false,
): Partial<CommandExtractor> {
  const video = (id: string) => ({ id, video_description: null });
  return {
    async answer({ path: name, credits }, params): Promise<Answer> {
      const call = `${name} ${params.query ?? params.id}`;
      calls.push(call);
      if (fails(call)) throw new ExtractError('platform_timeout');
      const data =
        name === 'shortvideo/search'
          ? [1, 2, 3, 4, 5].map((at) => video(idOf(at % 2 === 0 ? '' : String(params.query), at)))
          : [{ id: `c${params.id}` }];
      const meta = { ...harbourMeta, credits_charged: credits };
      const { fetched_at } = meta;
      const sources = data.map(({ id }, at) => ({
        id,
        url: null,
        author: null,
        position: at + 1,
        fetched_at,
      }));
      return { source: 'platform', json: JSON.stringify(data), sources: JSON.stringify(sources), meta };
    },
  };
}

const run = (args: readonly string[], calls: string[], fails?: (call: string) => boolean) =>
  extract(argv`batch shortvideo/search ${args}`, { extractor: platform(calls, fails) });

/** What `--dry-run` prints on a machine with a limited number of credits. */
const pricedPlan = async (args: readonly string[]) => {
  const surroundings = { config: { localCredits: 'fixed' as const } };
  return JSON.parse((await extract(argv`batch shortvideo/search ${args} --dry-run`, surroundings)).out).data;
};

describe('a chain', () => {
  test('calls the next endpoint for the items of the answers, with the user’s columns', async () => {
    const output = fresh('ndjson');
    const { err } = assertExit(await chain(words(), output, '--demo'), 0);
    const [found] = lines(searched(output));
    const comments = lines(commented(output));
    const ids = comments.map(({ input }) => input.id);
    const foundIds = found.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, foundIds);
    for (const { own } of comments) assert.deepEqual(own, { client: 'Bakery' });
    assert.match(err, /Stage 1 of 2: shortvideo\/search → .*Stage 2 of 2: shortvideo\/comments → /s);
  });

  test('has a third stage, and every kind of file', async () => {
    for (const kind of ['ndjson', 'json', 'csv', 'tsv', 'xlsx', 'parquet']) {
      const output = fresh(kind);
      const more = argv`--demo --then shortvideo/video --then-limit 2`;
      const { status, err } = await chain(words(), output, ...more);
      assert.equal(status, 0, `${kind}: ${err}`);
      const files = readdirSync(folder).filter((name) => name.startsWith(path.basename(output, kind)));
      const names = ['1-shortvideo-search', '2-shortvideo-comments', '3-shortvideo-video'];
      for (const name of names)
        assert.ok(files.includes(path.basename(stage(output, name))), `${kind} ${name}`);
      if (kind !== 'xlsx') continue;
      const book = await readXlsx(readFileSync(stage(output, '3-shortvideo-video')));
      assert.ok((book.sheets[0]?.rows.length ?? 0) > 1);
    }
  });

  test('into a database is one file with a table a stage', async () => {
    const output = fresh('sqlite');
    assertExit(await chain(words(), output, '--demo'), 0);
    const count = (table: string) =>
      Number(queryFile(output, `SELECT count(*) AS count FROM ${table}`)[0]?.count);
    assert.ok(count('shortvideo_search') > 1);
    assert.ok(count('shortvideo_comments') > 1);
    assert.equal(count('extract_runs'), 2);
    assert.equal((await chain(words(), output, '--demo')).status, 2);
    assert.equal((await chain(words(), output, '--demo', '--overwrite')).status, 0);
    for (const wrong of [path.join(folder, 'absent'), fresh('in.csv', 'qery\nharbour\n')]) {
      assert.equal((await chain(wrong, output, '--demo', '--overwrite')).status, 2);
      assert.equal(count('extract_runs'), 2, 'what was there is not removed for inputs that are none');
    }
    assertExit(await chain(words(), output, '--demo', '--append'), 0);
    assert.equal(count('extract_runs'), 4);
  });

  test('is refused before any request if a file of any stage exists', async () => {
    const output = fresh('ndjson');
    writeFileSync(commented(output), '{}\n');
    const calls: string[] = [];
    const { status, err } = await run(argv`${words()} --then shortvideo/comments -o ${output}`, calls);
    assert.equal(status, 2);
    assert.match(err, /2-shortvideo-comments\.ndjson exists/);
    assert.deepEqual(calls, []);
  });

  test('requests each item once, and a limited number of each answer', async () => {
    const calls: string[] = [];
    const input = words('{"query":"a"}\n{"query":"b"}\n');
    const stage = argv`--then shortvideo/comments --then-limit 3`;
    for (const kind of ['ndjson', 'csv']) {
      calls.length = 0;
      assertExit(await run([input, ...stage, '-o', fresh(kind)], calls), 0);
      const asked = calls.filter((call) => call.startsWith('shortvideo/comments')).sort();
      const videos = [idOf('', 2), idOf('a', 1), idOf('a', 3), idOf('b', 1), idOf('b', 3)];
      assert.deepEqual(
        asked,
        videos.map((id) => `shortvideo/comments ${id}`),
        kind,
      );
    }
  });

  test('shows the minimum and maximum cost first, and --dry-run makes no request', async () => {
    const calls: string[] = [];
    const input = words('{"query":"a"}\n{"query":"b"}\n');
    const args = argv`${input} --then shortvideo/comments --then-limit 3 -o ${fresh('ndjson')}`;
    const { out } = assertExit(await run([...args, '--dry-run'], calls), 0);
    assert.deepEqual(calls, []);
    const { data } = JSON.parse(out);
    const [first, second] = data.stages;
    assert.deepEqual([first.inputs_at_least, first.inputs_at_most], [2, 2]);
    assert.deepEqual([second.inputs_at_least, second.inputs_at_most], [0, 6]);
    assert.doesNotMatch(out, /credits|balance/);
    const priced = await pricedPlan(args);
    const each = priced.stages.map((one: { credits_each: number }) => one.credits_each);
    assert.equal(priced.credits_at_least, 2 * each[0]);
    assert.equal(priced.credits_at_most, 2 * each[0] + 6 * each[1]);
    const { err } = await run(args, calls);
    assert.match(err, /Stage 2, shortvideo\/comments: 0 to 6 inputs\./);
    const all = await pricedPlan(argv`${args.slice(0, 3)} --all -o ${fresh('ndjson')}`);
    assert.equal(all.credits_at_most, null);
  });

  test('checks the key of its pseudonyms before its first request', async () => {
    const calls: string[] = [];
    const key = ['--pseudonymise', 'author', '--pseudonym-key', path.join(folder, 'missing.key')];
    const { status, err } = await run(
      [words(), '--then', 'shortvideo/comments', '-o', fresh('ndjson'), ...key],
      calls,
    );
    assert.equal(status, 2);
    assert.match(err, /missing\.key does not exist/);
    assert.deepEqual(calls, []);
  });

  test('spends no more than its limit over all stages, and continues with --resume', async () => {
    const calls: string[] = [];
    const output = fresh('ndjson');
    const args = argv`${words('{"query":"a"}\n')} --then shortvideo/comments -o ${output}`;
    const { stages } = await pricedPlan(args);
    const [search, comments] = stages.map((one: { credits_each: number }) => one.credits_each);
    const limit = String(search + 2 * comments);
    const stopped = await run([...args, '--limit-credits', limit], calls);
    assertExit(stopped, 3, new RegExp(`would exceed the limit of ${limit}; ${limit} are spent`));
    assert.equal(calls.length, 3);
    assert.match(stopped.err, /Continue with: extract batch .*--then shortvideo\/comments.* --resume/);
    assertExit(await run([...args, '--resume'], calls), 0);
    assert.equal(calls.length, 6);
    assert.equal(new Set(calls).size, 6);
    assert.equal(lines(commented(output)).length, 5);
  });

  test('continues past failed inputs, and reports them at the end', async () => {
    const calls: string[] = [];
    const output = fresh('ndjson');
    const input = words('{"query":"a"}\n{"query":"no"}\n');
    const args = argv`${input} --then shortvideo/comments -o ${output}`;
    const fails = (call: string) => call.endsWith(' no') || call.endsWith(idOf('a', 1));
    const { status, err } = await run(args, calls, fails);
    assert.equal(status, 7, err);
    assert.match(err, /Skipped a line of the input that is an error/);
    assert.equal(lines(commented(output)).filter(({ error }) => error !== undefined).length, 1);
    assert.equal(lines(commented(output)).length, 5);
  });

  test('with pseudonyms requests the real names, and leaves none of them behind', async () => {
    const input = fresh('in.ndjson', '{"username":"nasa","client":"Bakery"}\n');
    const endings = ['ndjson', 'csv', 'xlsx', 'sqlite'];
    for (const ending of endings) {
      const output = fresh(ending);
      const args = argv`batch shortvideo/profile ${input} --then shortvideo/videos -o ${output}`;
      const names = argv`${args} --demo --then-limit 1 --pseudonymise author,username`;
      assertExit(await extract(names), 0);
      const files = readdirSync(folder).filter((name) => name.startsWith(path.basename(output, ending)));
      assert.ok(files.length > 2, String(files));
      for (const name of files) {
        const text = readFileSync(path.join(folder, name), 'latin1');
        assert.equal(text.includes('nasa'), false, name);
      }
      const again = await extract([...names, '--resume']);
      const said = 'The chain is finished; there is nothing to resume.\n';
      assert.deepEqual([again.status, again.err], [0, said]);
      if (ending !== 'ndjson') continue;
      const [video] = lines(stage(output, '2-shortvideo-videos'));
      assert.ok(video?.data.length > 0);
      assert.deepEqual(video?.own, { client: 'Bakery' });
      assert.deepEqual(readdirSync(path.join(testHome(), 'chains')), []);
    }
  });

  test('saves the pictures of the stages that have some', async () => {
    const [output, pictures] = [fresh('ndjson'), path.join(folder, 'pictures')];
    const args = argv`batch shortvideo/search ${words()} --demo --then shortvideo/video`;
    const last = argv`--then shortvideo/comments --then-limit 1 -o ${output}`;
    const chain = argv`${args} ${last} --media ${pictures} --captions`;
    const { err } = assertExit(await extract(chain), 0);
    const names = readdirSync(pictures);
    assert.ok(
      names.some((name) => name.endsWith('.vtt')) && names.includes('manifest.ndjson'),
      String(names),
    );
    assert.equal(err.match(/Media: /g)?.length, 2, err);
    const none = argv`batch linkedin/jobs ${words()} --demo --then linkedin/company -o ${fresh('ndjson')}`;
    const refused = await extract([...none, '--media', pictures]);
    assertExit(refused, 2, /pronetwork\/company have no pictures or videos to save/);
  });

  test('that is impossible is refused before any request', async () => {
    const input = words();
    const comments = argv`--then shortvideo/comments -o ${fresh('ndjson')}`;
    const wrong = [
      [argv`--then shortvideo/comments`, /--then needs the output file/],
      [argv`--then shortvideo/coments -o ${fresh('ndjson')}`, /Unknown endpoint/],
      [argv`${comments} --retry-failed`, /cannot be combined with --retry-failed/],
      [argv`${comments} --notify https://hooks.example/a`, /cannot be combined with --notify/],
      [argv`--then-limit 3 -o ${fresh('ndjson')}`, /--then-limit requires --then/],
    ] as const;
    for (const [args, words] of wrong) {
      const calls: string[] = [];
      assertExit(await run([input, ...args], calls), 2, words);
      assert.deepEqual(calls, []);
    }
  });
});
