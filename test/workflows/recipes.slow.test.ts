// Each recipe of the guide to batches, typed as it stands, in an empty folder with the files that it names.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { openTerminal } from './terminal.js';

/** Lines of the guide's shell blocks. A watch that runs on has tests of its own. */
function recipesOf(guide: string): string[] {
  const text = readFileSync(path.join(packageRoot(), 'docs', guide), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trimEnd().split('\n'))
    .filter((line) => !line.includes('--every'));
}

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
