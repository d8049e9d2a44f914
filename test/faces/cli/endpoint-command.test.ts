import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argv, assertExit, errorOf, extract } from '../../support/cli.js';
import { aHarbour, inventedRows, type ScriptedCall, scripted } from '../../support/invented-rows.js';

/** What one command line asked of the extractor. */
async function callOf(args: readonly string[]): Promise<ScriptedCall | undefined> {
  const calls: ScriptedCall[] = [];
  const one = args[1] === 'harbour' ? aHarbour() : [aHarbour()];
  const ran = await extract(args, { endpoints: inventedRows, extractor: scripted([one], calls) });
  assert.equal(assertExit(ran, 0).closed, true);
  assert.equal(calls.length, 1);
  return calls[0];
}

const refused = (args: readonly string[]): Promise<{ code: string; message: string }> =>
  errorOf(args, 2, { endpoints: inventedRows });

describe('the command line and its call', () => {
  test('the plain argument and the options become parameters, as texts', async () => {
    const options = argv`--lat -33.9 --max-depth 7 --sort=large --limit 2 --fresh`;
    const texts = { lat: '-33.9', max_depth: '7', sort: 'large', limit: '2' };
    assert.deepEqual(await callOf(argv`maps harbours ${'small boats'} ${options}`), {
      path: 'maps/harbours',
      params: { query: 'small boats', ...texts, fresh: true },
    });
  });

  const [quay, crew] = ['https://harbours.example/quay?a=1&b=2', 'https://notes.example/crew/1'];
  for (const [title, args, params] of [
    ['the identifying parameter may be an option', argv`maps harbour --id -AbC`, { id: '-AbC' }],
    ['a URL may be an option', argv`maps harbour --url quay`, { url: 'quay' }],
    ['an argument that is a URL is the url', argv`maps harbour ${quay}`, { url: quay }],
    ['an argument that is none is not', argv`maps harbour quay`, { id: 'quay' }],
    ['an address is the parameter that reads it', argv`pronetwork notes ${crew}`, { crew_url: crew }],
    ['what begins with a dash follows two', argv`maps harbour --demo -- -AbC`, { id: '-AbC', demo: true }],
  ] as const)
    test(title, async () => assert.deepEqual((await callOf(args))?.params, params));
});

describe('an invalid command line', () => {
  const harbours = argv`maps harbours x`;
  for (const [title, args, code, said] of [
    ['an unknown command', argv`maps harbors x`, 'invalid_parameter', /Did you mean .*harbour/],
    ['an unknown platform', argv`mapss harbour x`, 'invalid_parameter', /Did you mean maps\? .*--help shows/],
    ['an argument with a dash', argv`maps harbour -AbC`, 'unknown_parameter', /-AbC/],
    ['two formats', argv`${harbours} --json --format csv`, 'conflicting_parameters', /./],
    ['no format', argv`${harbours} --format xml`, 'invalid_parameter', /json, ndjson, csv, table/],
    ['pages and a demo', argv`${harbours} --from-pages here --demo`, 'conflicting_parameters', /./],
    ['pages both ways', argv`${harbours} --from-pages a --save-pages b`, 'conflicting_parameters', /./],
    ['an old name', argv`${harbours} --old-sort near`, 'renamed_parameter', /old_sort is now called sort/],
    [
      'a limit out of range',
      argv`${harbours} --limit 4`,
      'invalid_parameter',
      /limit must be a whole number fr/,
    ],
    [
      'a word for a number',
      argv`${harbours} --lat north`,
      'invalid_parameter',
      /lat must be a number from -90/,
    ],
    ['no such choice', argv`${harbours} --sort far`, 'invalid_parameter', /sort must be one of near, large/],
    [
      'a long language',
      argv`${harbours} --language eng`,
      'invalid_parameter',
      /language must be a two-letter/,
    ],
  ] as const)
    test(`is refused with what to do: ${title}`, async () => {
      const error = await refused(args);
      assert.equal(error.code, code);
      assert.match(error.message, said);
    });

  test('with a field that is not there is refused before anything is opened', async () => {
    const ran = await extract(argv`maps harbours x --fields name,nme`, { endpoints: inventedRows });
    assert.equal(assertExit(ran, 2).opened, undefined);
  });
});

test('the folders of pages are settings of the extractor', async () => {
  for (const [option, opened] of [
    ['--save-pages', { savePages: 'kept', fromPages: undefined }],
    ['--from-pages', { savePages: undefined, fromPages: 'kept' }],
  ] as const) {
    const surroundings = { endpoints: inventedRows, extractor: scripted([aHarbour()]) };
    assert.deepEqual((await extract(argv`maps harbour x ${option} kept`, surroundings)).opened, opened);
  }
});

describe('an argument that belongs to another endpoint', () => {
  const nasa = 'https://www.tiktok.com/@nasa';
  for (const [typed, ...commands] of [
    ['tiktok video nasa', 'extract tiktok profile nasa', 'extract tiktok videos nasa'],
    [`tiktok search ${nasa}`, `extract tiktok profile ${nasa}`],
    [`google-maps place ${nasa}`, `extract tiktok profile ${nasa}`],
    ['instagram profile https://www.instagram.com/explore/tags/tea/', 'extract instagram hashtag tea'],
  ] as const)
    test(`is returned as the command to run: extract ${typed}`, async () => {
      const { err } = assertExit(await extract(typed.split(' '), { stderrIsTTY: true }), 2);
      assert.ok(err.endsWith(`\nDid you mean:\n  ${commands.join('\n  ')}\n`), err);
    });

  for (const typed of [
    argv`tiktok video https://www.tiktok.com/music/a-1`,
    argv`linkedin profile ${'Ada Lovelace'}`,
  ])
    test(`is only reported if no endpoint surely reads it: ${typed.at(-1)}`, async () => {
      const { err } = assertExit(await extract(typed, { stderrIsTTY: true }), 2);
      assert.doesNotMatch(err, /Did you mean/);
    });
});
