// Each recipe of the guides, typed as it stands, in an empty folder with the files that it names.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { fixtureSite } from '../support/fixture-site.js';
import { openTerminal, type Terminal } from './terminal.js';

/** Lines of the guide's shell blocks. A watch that runs on has tests of its own. */
function recipesOf(guide: string): string[] {
  const text = readFileSync(path.join(packageRoot(), 'docs', guide), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trimEnd().split('\n'))
    .filter((line) => line.startsWith('extract ') && !line.includes('--every'));
}

/** Types the recipes of a guide; rejects where one does not end well, or leaves no file where it names one. */
async function typeAll(terminal: Terminal, guide: string, least: number, leftOut = /^$/): Promise<void> {
  // The same account is made for a data directory and for a database.
  const recipes = [...new Set(recipesOf(guide))].filter((line) => !leftOut.test(line));
  assert.ok(recipes.length >= least, `${guide}: ${recipes.length}`);
  for (const line of recipes) {
    const { out, err } = await terminal.type(line);
    const file = /(?: -o| >|--plot|backup) (\S+)/.exec(line)?.[1];
    if (file === undefined) assert.notEqual(out + err, '', line);
    else assert.ok(existsSync(path.join(terminal.folder, file)), line);
  }
}

test('the recipes of docs/history.md do what they say', async () => {
  const terminal = await openTerminal();
  terminal.write('accounts.txt', 'nasa\nesa\n');
  await typeAll(terminal, 'history.md', 9);
  const changes = 'SELECT count(DISTINCT subject) AS subjects FROM changes';
  assert.deepEqual(terminal.query('accounts.sqlite', changes), [{ subjects: 2 }]);
  assert.match(terminal.read('reviews.atom'), /<feed/);
});

test('the recipes of docs/evidence.md do what they say', async () => {
  const terminal = await openTerminal(await fixtureSite({ 'shortvideo/profile': 1 }));
  terminal.write('names.txt', 'mira.kettle\n');
  await typeAll(terminal, 'evidence.md', 3);
  assert.equal(terminal.read('again.ndjson'), terminal.read('profiles.ndjson'));
});

test('the recipes of README.md and docs/tools.md do what they say', async () => {
  const terminal = await openTerminal();
  terminal.write('names.txt', 'fern.atlas\nmoss.atlas\n');
  // The server of the README is started in docs/hosting.md, too.
  await typeAll(terminal, '../README.md', 5, /serve/);
  await typeAll(terminal, 'tools.md', 4);
});

test('the recipes of docs/hosting.md and docs/backup.md do what they say', async () => {
  const terminal = await openTerminal();
  await typeAll(terminal, 'hosting.md', 2, /serve|database/);
  await typeAll(terminal, 'backup.md', 2);
});

test('the recipes of docs/batch.md do what they say', async () => {
  const terminal = await openTerminal();
  terminal.write('names.txt', 'fern.atlas\nmoss.atlas\n');
  terminal.write('words.txt', 'tea\ncoffee\n');
  terminal.write('posts.txt', 'DAx1b2c3d4e\n');
  terminal.write('places.txt', 'ChIJtjc9rEc1bkcRzq9EdYiTlqE\nChIJN1t_tDeuEmsRUsoyG83frY4\n');
  terminal.write('searches.ndjson', '{"query":"kiln","location":"Graz"}\n{"query":"lamp"}\n');
  const sheet = await writeXlsx({
    sheets: [{ name: 'Videos', rows: [['video_number'], ['7570377465812138719'], ['7573247745443418173']] }],
  });
  writeFileSync(path.join(terminal.folder, 'videos.xlsx'), sheet);
  await terminal.type('extract shortvideo search tea --json > videos.json');
  const recipes = recipesOf('batch.md');
  assert.ok(recipes.length >= 20);
  for (const line of recipes) {
    const { out } = await terminal.type(line);
    const output = / -o (\S+)/.exec(line)?.[1] ?? /convert \S+ (\S+)/.exec(line)?.[1];
    // A chain has a file for each stage, a watch one for each run; a dry run has none.
    if (output === undefined || /--dry-run/.test(line)) assert.notEqual(out, '', line);
    else if (!/--then|watch/.test(line)) assert.ok(existsSync(path.join(terminal.folder, output)), line);
  }
});
