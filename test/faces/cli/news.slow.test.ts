import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import type { Answer } from '../../../lib/call/envelope.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { argv, assertExit, extract, type Surroundings, testHome } from '../../support/cli.js';
import { aCoverage } from '../../support/coverage.js';
import { aHarbour, anAnswer, type Harbour, inventedRows, sourcesOf } from '../../support/invented-rows.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { newFiles } from '../../support/new-files.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const inputs = (...rows: readonly object[]) => newFile('ndjson', ndjsonText(rows));

/** A platform whose harbours a test moves about: objects by id, lists in pages of two by query. */
interface World {
  objects: Record<string, Partial<Harbour>>;
  lists: Record<string, string[]>;
  calls: number;
  /** Whether the last page of a list is its end by the platform's own word. */
  ends: boolean;
  source: Answer['source'];
}

function worldOf({
  objects = {},
  lists = {},
  ends = false,
  source = 'platform',
}: Partial<World>): World & { extractor: Pick<CommandExtractor, 'answer'> } {
  const world: World = { objects, lists, calls: 0, ends, source };
  return Object.assign(world, {
    extractor: {
      async answer({ many, credits }, params) {
        world.calls += 1;
        const meta = { credits_charged: credits };
        if (!many) {
          const object = world.objects[String(params.id)];
          if (object === undefined) throw new ExtractError('place_not_found', 'There is none.');
          return anAnswer(aHarbour({ name: String(params.id), ...object }), { meta });
        }
        const list = world.lists[String(params.query)] ?? [];
        const from = Number(params.cursor ?? 0);
        const page = list.slice(from, from + 2);
        const isLast = from + 2 >= list.length;
        const sources = sourcesOf(page, (at) => ({ position: from + at + 1 }));
        return anAnswer(
          page.map((name) => aHarbour({ name })),
          {
            source: world.source,
            coverage: aCoverage({ ended: world.ends && isLast ? 'end' : 'unknown' }),
            sources: params.sources === true ? sources : undefined,
            prints: page.map((name) => `id of ${name}`),
            meta: { ...meta, next_cursor: isLast ? null : String(from + 2) },
          },
        );
      },
    } satisfies Pick<CommandExtractor, 'answer'>,
  });
}

const command = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(args, { endpoints: inventedRows, ...surroundings });
const linesOf = async (ran: ReturnType<typeof command>) => ndjsonValues((await ran).out);

const names = (data: readonly Harbour[]) => data.map(({ name }) => name);

describe('extract batch --new', () => {
  test('returns objects once, then changed ones, with the changes', async () => {
    const world = worldOf({ objects: { a: {}, b: {} } });
    const file = inputs({ id: 'a' }, { id: 'b' }, { id: 'none' });
    const run = async () => {
      const { out, err } = await command(argv`batch maps/harbour ${file} --new quays`, world);
      return {
        rows: ndjsonValues(out).map(({ data, changed, error }) => [data?.name ?? error.code, changed]),
        err,
      };
    };
    const missing = ['place_not_found', undefined];
    assert.deepEqual((await run()).rows, [['a', undefined], ['b', undefined], missing]);
    const second = await run();
    assert.deepEqual(second.rows, [missing]);
    assert.equal(world.calls, 6);
    const said = /^3 inputs in \d+ s: 2 answered \(2 without news\), 1 failed \(1 place not found\)\.\n/;
    assert.match(second.err, said);
    world.objects = { a: {}, b: { open: false, note: 'Closed.' } };
    const changed = { open: [true, false], note: [null, 'Closed.'] };
    assert.deepEqual((await run()).rows, [['b', changed], missing]);
    assert.deepEqual((await run()).rows, [missing]);
  });

  test('reports removed items only of a list that was read to its end', async () => {
    const world = worldOf({ lists: { x: ['a', 'b'] } });
    const file = inputs({ query: 'x' });
    const run = async (...more: string[]) => {
      const { out, err } = await command(argv`batch maps/harbours ${file} --new gone ${more}`, world);
      const [line] = ndjsonValues(out);
      assert.equal(/ removed\./.test(err), line?.removed !== undefined);
      return [line === undefined ? null : names(line.data), line?.removed, line?.sources?.length];
    };
    assert.deepEqual(await run(), [['a', 'b'], undefined, undefined]);
    world.lists = { x: ['a'] };
    assert.deepEqual(await run(), [null, undefined, undefined]);
    world.ends = true;
    world.source = 'cache';
    assert.deepEqual(await run(), [null, undefined, undefined]);
    world.source = 'platform';
    assert.deepEqual(await run('--sources'), [[], ['b'], 0]);
    assert.deepEqual(await run(), [null, undefined, undefined]);
    world.lists = { x: ['c', 'b'] };
    assert.deepEqual(await run(), [['c', 'b'], ['a'], undefined]);
    // A condition cannot be evaluated for removed items.
    world.lists = { x: ['d'] };
    const whens = argv`--when ${'name == "z"'}`;
    assert.deepEqual(await run(...whens), [[], ['c', 'b'], undefined]);
    assert.deepEqual(await run(...whens), [null, undefined, undefined]);
  });

  test('of one call is reported next to the answer', async () => {
    const world = worldOf({ lists: { x: ['a', 'b'] }, ends: true });
    const run = () => command(argv`maps harbours x --new one --json`, { ...world, stderrIsTTY: true });
    await run();
    world.lists = { x: ['b'] };
    const { data, removed, sources } = JSON.parse(assertExit(await run(), 0, /1 removed\./).out);
    assert.deepEqual([data, removed, sources], [[], ['a'], undefined]);
  });

  test('builds other formats from new items, with their changes', async () => {
    const world = worldOf({ objects: { a: {}, b: {} } });
    const file = inputs({ id: 'a' }, { id: 'b' });
    const database = path.join(folder, 'quays.sqlite');
    const run = (output: string, ...more: string[]) =>
      command(argv`batch maps/harbour ${file} --new built -o ${output} ${more}`, world);
    const rowsIn = () =>
      queryFile(
        database,
        `SELECT h.name, berths, changed, before, after FROM maps_harbour h
         LEFT JOIN maps_harbour_changed c ON c.item = h.item ORDER BY h.name`,
      ).map((row) => Object.values(row));
    assertExit(await run(database, '--append'), 0);
    const first = ['a', 'b'].map((name) => [name, 12, null, null, null]);
    assert.deepEqual(rowsIn(), first);
    // Nothing is new: nothing is changed, for the price of two calls.
    assertExit(await run(database, '--append'), 0, /2 answered \(2 without news\)\.\n/);
    assert.deepEqual(rowsIn(), first);
    world.objects = { a: {}, b: { berths: 13 } };
    assertExit(await run(database, '--append'), 0);
    assert.deepEqual(rowsIn(), [first[0], ['b', 13, 'berths', '12', '13']]);
    world.objects = { a: { berths: 14 }, b: { berths: 13 } };
    const workbook = path.join(folder, 'quays.xlsx');
    assertExit(await run(workbook), 0);
    const [results] = (await readXlsx(readFileSync(workbook))).sheets;
    const [head, row, ...others] = results?.rows.map((cells) => cells.slice(-3)) ?? [];
    assert.deepEqual([head, row, others], [['changed', 'before', 'after'], ['berths', 12, 14], []]);
  });

  test('returns the new items of lists and stops reading after them', async () => {
    const world = worldOf({ lists: { x: ['5', '4', '3', '2', '1'], y: ['1'] } });
    const file = inputs({ query: 'x' }, { query: 'y' }, { query: 'x' });
    const run = async () => {
      world.calls = 0;
      const ran = assertExit(await command(argv`batch maps/harbours ${file} --all --new lists`, world), 0);
      return [ndjsonValues(ran.out).map(({ input, data }) => [input.query, names(data)]), world.calls];
    };
    // A list requested twice is returned once; an item of two lists is new in each.
    const [x, y] = [world.lists.x, world.lists.y];
    assert.deepEqual(await run(), [Object.entries({ x, y }), 7]);
    // Three items may be pinned, so that a page of two does not say that nothing is new.
    assert.deepEqual(await run(), [[], 5]);
    world.lists = { x: ['2', '7', '6', '5', '3', '1'], y: [] };
    assert.deepEqual(await run(), [[['x', ['7', '6']]], 7]);
  });

  test('names the known items of a list, whose own pages need not be read', async () => {
    const world = worldOf({ lists: { x: ['b', 'a'] } });
    const answers: unknown[] = [];
    const extractor: Pick<CommandExtractor, 'answer'> = {
      async answer(endpoint, params, options) {
        answers.push(await options?.knownItems?.(['a', 'c']));
        return world.extractor.answer(endpoint, params);
      },
    };
    const file = inputs({ query: 'x' });
    for (const _ of [1, 2]) await command(argv`batch maps/harbours ${file} --new read`, { extractor });
    await command(argv`maps harbours x --new read`, { extractor });
    assert.deepEqual(answers, [new Set(), new Set(['a']), new Set(['a'])]);
  });

  test('remembers nothing that the reader of a pipe did not take, nor of a list that broke off', async () => {
    const world = worldOf({ lists: { x: ['3', '2', '1'] } });
    const args = argv`maps harbours x --all --new taken --format ndjson`;
    const breaking: Pick<CommandExtractor, 'answer'> = {
      async answer(...call) {
        if (world.calls === 1) throw new ExtractError('platform_timeout');
        return world.extractor.answer(...call);
      },
    };
    assertExit(await command(args, { extractor: breaking }), 5);
    const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const batch = argv`batch maps/harbours ${inputs({ query: 'x' })} --new pipe`;
    for (const [line, count] of [
      [args, 3],
      [batch, 1],
    ] as const) {
      await command(line, { ...world, write: () => Promise.reject(brokenPipe) });
      assert.equal((await linesOf(command(line, world))).length, count);
      assert.equal((await linesOf(command(line, world))).length, 0);
    }
  });

  test('writes to a file that only resumes under the same name', async () => {
    const world = worldOf({ objects: { a: {}, b: {} } });
    const file = inputs({ id: 'a' }, { id: 'b' });
    const output = path.join(folder, 'out.ndjson');
    const run = (...more: string[]) => command(argv`batch maps/harbour ${file} -o ${output} ${more}`, world);
    assertExit(await run('--new', 'file'), 0);
    assert.equal(ndjsonValues(readFileSync(output, 'utf8')).length, 2);
    for (const other of [[], argv`--new other`])
      assertExit(await run('--resume', ...other), 2, /started with --new file/);
    assertExit(await run('--overwrite', '--new', 'file'), 0);
    assert.equal(readFileSync(output, 'utf8'), '');
  });

  test('shows what was read before, and the resulting price', async () => {
    const world = worldOf({ objects: { a: {} }, lists: { x: ['1'] } });
    await command(argv`batch maps/harbour ${inputs({ id: 'a' })} --new price`, world);
    await command(argv`batch maps/harbours ${inputs({ query: 'x' })} --new price`, world);
    const calls = world.calls;
    const dry = async (args: readonly string[], surroundings: Surroundings) =>
      (await command(argv`batch ${args} --new price --dry-run`, { ...world, ...surroundings })).out;
    const two = argv`maps/harbours ${inputs({ query: 'x' }, { query: 'y' })} --all`;
    const { data } = JSON.parse(await dry(two, { config: { localCredits: 'fixed' } }));
    assert.deepEqual([data.new, data.credits], [{ name: 'price', known: 1, first: 1 }, 6]);
    const text = (await dry(two, { stdoutColumns: 80 })).replace(/\s+/g, ' ');
    assert.match(text, /1 list was read before under price: one call each, plus one for each further page/);
    assert.match(text, /1 list is read for the first time: every page each, one call per page\./);
    const one = await dry(argv`maps/harbour ${inputs({ id: 'a' })}`, { stdoutColumns: 80 });
    assert.match(one, /1 input was read before under price, 0 not yet\./);
    assert.equal(world.calls, calls);
  });

  test('runs once at a time under a name', async () => {
    const world = worldOf({ objects: { a: {} } });
    const args = argv`batch maps/harbour ${inputs({ id: 'a' })} --new alone`;
    await command(args, world);
    const lock = path.join(testHome(), 'new', 'alone.lock');
    assert.equal(existsSync(lock), false);
    const held = await lockFile(lock);
    assertExit(await command(args, world), 2, /Another run with --new alone is in progress/);
    held?.remove();
  });

  test('refuses an invalid name, and --new-counts without a name', async () => {
    for (const wrong of [argv`--new ../x`, ['--new-counts']])
      assertExit(await command(argv`batch maps/harbour ${inputs({ id: 'a' })} ${wrong}`), 2);
  });
});
