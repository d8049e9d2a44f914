import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argv, assertExit, extract } from '../../support/cli.js';
import { aHarbour, inventedRows, type ScriptedCall, scripted } from '../../support/invented-rows.js';

/** What one command line asked of the extractor. */
async function callOf(...args: string[]): Promise<ScriptedCall> {
  const calls: ScriptedCall[] = [];
  const one = args[1] === 'harbour' ? aHarbour() : [aHarbour()];
  const ran = await extract(args, { endpoints: inventedRows, extractor: scripted([one], calls) });
  assert.equal(ran.status, 0, ran.err);
  assert.equal(calls.length, 1);
  assert.equal(ran.closed, true);
  return calls[0] as ScriptedCall;
}

async function refused(...args: string[]): Promise<{ code: string; message: string }> {
  const ran = assertExit(await extract(args, { endpoints: inventedRows, extractor: scripted([[]]) }), 2);
  assert.equal(ran.out, '');
  return JSON.parse(ran.err).error;
}

describe('the command line and its call', () => {
  test('the plain argument and the options become parameters, as texts', async () => {
    const options = argv`--lat -33.9 --max-depth 7 --sort=large --limit 2 --fresh`;
    const { path, params } = await callOf('maps', 'harbours', 'small boats', ...options);
    assert.equal(path, 'maps/harbours');
    const expected = {
      query: 'small boats',
      lat: '-33.9',
      max_depth: '7',
      sort: 'large',
      limit: '2',
      fresh: true,
    };
    assert.deepEqual(params, expected);
  });

  test('the identifying parameter may be an option', async () => {
    assert.deepEqual((await callOf('maps', 'harbour', '--id', '-AbC')).params, { id: '-AbC' });
    assert.deepEqual((await callOf('maps', 'harbour', '--url', 'quay')).params, { url: 'quay' });
  });

  test('an argument that is a URL is the url, another one is not', async () => {
    const url = 'https://harbours.example/quay?a=1&b=2';
    assert.deepEqual((await callOf('maps', 'harbour', url)).params, { url });
    assert.deepEqual((await callOf('maps', 'harbour', 'quay')).params, { id: 'quay' });
    assert.deepEqual((await callOf('pronetwork', 'notes', 'https://notes.example/crew/1')).params, {
      crew_url: 'https://notes.example/crew/1',
    });
  });

  test('an argument that begins with a dash follows two dashes', async () => {
    const { params } = await callOf('maps', 'harbour', '--demo', '--', '-AbC');
    assert.deepEqual(params, { id: '-AbC', demo: true });
    const { message } = await refused('maps', 'harbour', '-AbC');
    assert.match(message, /-AbC/);
  });
});

describe('an invalid command line', () => {
  test('an unknown command, with the likely one', async () => {
    const { code, message } = await refused('maps', 'harbors', 'x');
    assert.equal(code, 'invalid_parameter');
    assert.match(message, /Did you mean .*harbour/);
    const platform = await refused('mapss', 'harbour', 'x');
    assert.match(platform.message, /Did you mean maps\? .*--help shows how to use it/);
  });

  test('two formats, or one that is not there', async () => {
    const two = await refused('maps', 'harbours', 'x', '--json', '--format', 'csv');
    assert.equal(two.code, 'conflicting_parameters');
    const other = await refused('maps', 'harbours', 'x', '--format', 'xml');
    assert.match(other.message, /json, ndjson, csv, table/);
  });

  test('a field that is not there, before anything is opened', async () => {
    const ran = await extract(argv`maps harbours x --fields name,nme`, { endpoints: inventedRows });
    assert.equal(ran.status, 2);
    assert.equal(ran.opened, undefined);
  });

  test('saved pages together with what would pass them by', async () => {
    for (const other of [['--demo'], argv`--save-pages there`]) {
      const { code } = await refused('maps', 'harbours', 'x', '--from-pages', 'here', ...other);
      assert.equal(code, 'conflicting_parameters');
    }
  });
});

describe('names that changed', () => {
  test('an option under its old name is refused with the new one', async () => {
    const ran = await extract(argv`maps harbours x --old-sort near --json`, { endpoints: inventedRows });
    assert.equal(ran.status, 2);
    const { error } = JSON.parse(ran.err);
    assert.equal(error.code, 'renamed_parameter');
    assert.match(error.message, /old_sort is now called sort/);
  });
});

test('the folders of pages are settings of the extractor', async () => {
  const surroundings = { endpoints: inventedRows, extractor: scripted([aHarbour()]) };
  const saving = await extract(argv`maps harbour x --save-pages kept`, surroundings);
  assert.deepEqual(saving.opened, { savePages: 'kept', fromPages: undefined });
  const reading = await extract(argv`maps harbour x --from-pages kept`, surroundings);
  assert.deepEqual(reading.opened, { savePages: undefined, fromPages: 'kept' });
});

test('a wrong value is refused by the call, which knows its range', async () => {
  for (const [option, value, expects] of [
    ['--limit', '4', /limit must be a whole number from 1 to 3/],
    ['--lat', 'north', /lat must be a number from -90 to 90/],
    ['--sort', 'far', /sort must be one of near, large/],
    ['--language', 'eng', /language must be a two-letter code/],
  ] as const) {
    const ran = await extract(argv`maps harbours x ${option} ${value} --json`, { endpoints: inventedRows });
    assert.equal(ran.status, 2);
    const { error } = JSON.parse(ran.err);
    assert.equal(error.code, 'invalid_parameter');
    assert.match(error.message, expects);
  }
});

describe('an argument that belongs to another endpoint', () => {
  for (const [typed, commands] of [
    ['tiktok video nasa', ['extract tiktok profile nasa', 'extract tiktok videos nasa']],
    ['tiktok search https://www.tiktok.com/@nasa', ['extract tiktok profile https://www.tiktok.com/@nasa']],
    [
      'google-maps place https://www.tiktok.com/@nasa',
      ['extract tiktok profile https://www.tiktok.com/@nasa'],
    ],
    ['instagram profile https://www.instagram.com/explore/tags/tea/', ['extract instagram hashtag tea']],
  ] as const)
    test(`is returned as the command to run: extract ${typed}`, async () => {
      const { status, err } = await extract(typed.split(' '), { stderrIsTTY: true });
      assert.equal(status, 2);
      assert.ok(err.endsWith(`\nDid you mean:\n  ${commands.join('\n  ')}\n`), err);
    });

  for (const typed of [
    ['tiktok', 'video', 'https://www.tiktok.com/music/a-1'],
    ['linkedin', 'profile', 'Ada Lovelace'],
  ])
    test(`is only reported if no endpoint surely reads it: ${typed.at(-1)}`, async () => {
      const { status, err } = await extract(typed, { stderrIsTTY: true });
      assert.equal(status, 2);
      assert.doesNotMatch(err, /Did you mean/);
    });
});
