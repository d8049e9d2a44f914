import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { aHarbour, inventedRows, type ScriptedCall, scripted } from '../../support/invented-rows.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { newFiles } from '../../support/new-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const inputs = (...words: readonly string[]) =>
  newFile('ndjson', ndjsonText(words.map((query) => ({ query }))));

const quays = [
  aHarbour({ name: 'Small', berths: 3 }),
  aHarbour({ name: 'Large', berths: 80, note: 'Crowded.' }),
  aHarbour({ name: 'Unknown', berths: null }),
];

const command = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(args, { endpoints: inventedRows, extractor: scripted([quays]), ...surroundings });

describe('--when', () => {
  test('keeps the same items of a single call, on the screen and in a file', async () => {
    const call = argv`maps harbours a --when ${'berths > 10'}`;
    const printed = assertExit(await command([...call, '--json']), 0);
    const names = (data: readonly { name: string }[]) => data.map(({ name }) => name);
    const answer = JSON.parse(printed.out);
    assert.deepEqual([names(answer.data), Object.keys(answer)], [['Large'], ['data', 'meta']]);
    const output = path.join(folder, 'call.ndjson');
    assertExit(await command([...call, '-o', output]), 0);
    assert.deepEqual(names(ndjsonValues(readFileSync(output, 'utf8'))), ['Large']);
  });

  test('of a single call is refused before any request', async () => {
    const calls: ScriptedCall[] = [];
    const extractor = scripted([quays], calls);
    const ran = await command(argv`maps harbours a --when ${'berts > 1'}`, { extractor });
    assertExit(ran, 2, /there is no field “berts”/);
    assert.deepEqual(calls, []);
  });

  test('keeps matching items, and reports how many are undecidable', async () => {
    const ran = await command(argv`batch maps/harbours ${inputs('a')} --when ${'berths > 10'}`);
    const { out } = assertExit(ran, 0, /^Omitted by --when: 1 item with an unknown value\.$/m);
    const [line, ...rest] = ndjsonValues(out);
    assert.deepEqual([line.data.map(({ name }: { name: string }) => name), rest], [['Large'], []]);
    assert.deepEqual(Object.keys(line), ['input', 'data']);
  });

  test('writes no line for an input without matching items, and reports it', async () => {
    const ran = await command(argv`batch maps/harbours ${inputs('a', 'b')} --when ${'berths > 100'}`);
    assert.equal(assertExit(ran, 0, /2 answered \(2 without a match\)/).out, '');
  });

  test('requests sources if it uses them, and omits them from lines that did not request them', async () => {
    const calls: ScriptedCall[] = [];
    const extractor = scripted([quays], calls);
    const args = argv`batch maps/harbours ${inputs('a')} --when ${'source == null && berths < 10'}`;
    const { out } = await command(args, { extractor });
    assert.equal(calls[0]?.params.sources, true);
    assert.deepEqual(Object.keys(ndjsonValues(out)[0]), ['input', 'data']);
    const without = argv`batch maps/harbours ${inputs('a')} --when ${'berths < 10'}`;
    await command(without, { extractor });
    assert.equal(calls[1]?.params.sources, undefined);
  });

  test('must be the same for a resumed batch', async () => {
    const output = path.join(folder, 'kept.ndjson');
    const file = inputs('a');
    const args = (condition: string) => argv`batch maps/harbours ${file} -o ${output} --when ${condition}`;
    assert.equal((await command(args('berths > 10'))).status, 0);
    const other = await command([...args('berths > 1'), '--resume']);
    assertExit(other, 2, /started with --when berths > 10; it can only be resumed the same way/);
    const all = path.join(folder, 'all.ndjson');
    assert.equal((await command(argv`batch maps/harbours ${file} -o ${all}`)).status, 0);
    const later = await command(argv`batch maps/harbours ${file} -o ${all} --resume --when ${'berths > 1'}`);
    assert.match(later.err, /started without --when/);
    assertExit(await command([...args('berths > 10'), '--resume']), 0);
    assert.equal(ndjsonValues(readFileSync(output, 'utf8'))[0].data.length, 1);
  });

  test('with --new, an item is new once, whether it is true of it or not', async () => {
    const file = inputs('a');
    const run = (condition: string) =>
      command(argv`batch maps/harbours ${file} --new when --when ${condition}`);
    assert.equal(ndjsonValues((await run('berths > 10')).out)[0].data.length, 1);
    const second = await run('berths < 10');
    assert.equal(assertExit(second, 0, /1 answered \(1 without news or a match\)/).out, '');
  });

  test('of a watch, a run without matching items writes no file', async () => {
    const output = path.join(folder, 'watched.ndjson');
    const run = (condition: string) =>
      command(argv`watch maps/harbours ${inputs('a')} --once -o ${output} --when ${condition}`);
    assert.equal((await run('berths > 100')).status, 0);
    const others = readdirSync(folder).filter((name) => name.startsWith('watched'));
    assert.deepEqual(others, []);
    assert.equal((await run('berths > 10')).status, 0);
    const [written = ''] = readdirSync(folder).filter((name) => /^watched.*\.ndjson$/.test(name));
    assert.equal(ndjsonValues(readFileSync(path.join(folder, written), 'utf8'))[0].data.length, 1);
  });
});
