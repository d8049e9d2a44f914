import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { endpoints } from '../../../../lib/endpoints.js';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { demoArguments, screens, screenWidths } from '../../../../scripts/screens.js';
import { extract } from '../../../support/cli.js';

const lists = endpoints.filter(({ many }) => many);
/** What people look for first in the answers of these endpoints. */
const subjects: Readonly<Record<string, string>> = {
  'shortvideo/comments': 'text',
  'photosocial/comments': 'text',
  'shortvideo/videos': 'video_description',
  'maps/places': 'name',
  'pronetwork/jobs': 'title',
};

test('screens at three widths are those that were read over', async () => {
  for (const [file, text] of Object.entries(await screens())) {
    const recorded = readFileSync(path.join(packageRoot(), file), 'utf8');
    assert.equal(text, recorded, `${file}: look at it, then run \`npm run generate\``);
  }
});

describe('a table', () => {
  for (const { path: name } of lists) {
    test(`${name}: fits, and begins with what people look for`, async () => {
      const args = await demoArguments(name);
      for (const stdoutColumns of screenWidths) {
        const plain = await extract(args, { stdoutColumns, settings: { color: false } });
        const coloured = await extract(args, { stdoutColumns });
        const lines = plain.out.trimEnd().split('\n');
        assert.ok(lines.every((line) => stringWidth(line) <= stdoutColumns));
        const subject = subjects[name];
        if (subject !== undefined) assert.match(lines[0] ?? '', new RegExp(`^${subject}\\b`));
        // Colours change nothing but the colours.
        assert.equal(stripVTControlCharacters(coloured.out), plain.out);
      }
    });
  }
});
