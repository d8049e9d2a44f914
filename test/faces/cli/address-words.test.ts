import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { addressedLines } from '../../../src/faces/cli/address-words.js';
import { argv, assertExit, extract } from '../../support/cli.js';

const lines = (text: string) => addressedLines(text.split(' '), endpoints).map((line) => line.join(' '));

/** What a user types, and the equivalent command lines. */
const typed: readonly (readonly [text: string, ...lines: string[]])[] = [
  ['https://www.tiktok.com/@mira --json', 'shortvideo profile https://www.tiktok.com/@mira --json'],
  [
    'tiktok.com/@mira/video/7301234567890123456',
    'shortvideo video tiktok.com/@mira/video/7301234567890123456',
  ],
  ['https://www.instagram.com/p/Cabcdefghij/', 'photosocial post https://www.instagram.com/p/Cabcdefghij/'],
  ['https://www.linkedin.com/in/ada-lovelace', 'pronetwork profile https://www.linkedin.com/in/ada-lovelace'],
  ['https://www.linkedin.com/company/acme', 'pronetwork company https://www.linkedin.com/company/acme'],
  [
    'https://maps.google.com/?cid=1234567890123456789',
    'maps place https://maps.google.com/?cid=1234567890123456789',
  ],
  ['https://www.tiktok.com/tag/coffee --limit 5', 'shortvideo search coffee --limit 5'],
  ['https://www.tiktok.com/discover/slow-coffee', 'shortvideo search slow coffee'],
  ['https://www.instagram.com/explore/tags/driftwood/', 'photosocial hashtag driftwood'],
  ['https://www.google.com/maps/search/coffee+porto/', 'maps places coffee porto'],
  ['https://www.linkedin.com/jobs/search?keywords=kiln%20maker', 'pronetwork jobs kiln maker'],
  [
    'https://www.tiktok.com/@mira https://www.instagram.com/nike/ --json',
    'shortvideo profile https://www.tiktok.com/@mira --json',
    'photosocial profile https://www.instagram.com/nike/ --json',
  ],
  ['shortvideo nasa --demo', 'shortvideo profile nasa --demo'],
  ['photosocial @nike', 'photosocial profile @nike'],
  ['photosocial amber.quay --json', 'photosocial profile amber.quay --json'],
  ['maps bakery --limit 5', 'maps places bakery --limit 5'],
  [
    'photosocial https://www.instagram.com/p/Cabcdefghij/',
    'photosocial post https://www.instagram.com/p/Cabcdefghij/',
  ],
  // Mistyped or ambiguous words stay as they are, for the error to explain.
  ['shortvideo profle', 'shortvideo profle'],
  ['shortvideo vidoes --all', 'shortvideo vidoes --all'],
  ['maps cover', 'maps cover'],
  ['pronetwork acme', 'pronetwork acme'],
  ['photosocial nike foo', 'photosocial nike foo'],
  ['shortvideo --help', 'shortvideo --help'],
  ['batch shortvideo/profile names.txt', 'batch shortvideo/profile names.txt'],
];

describe('an address or a username instead of a command', () => {
  for (const [text, ...expected] of typed) test(text, () => assert.deepEqual(lines(text), expected));

  test('answers each address, and shows the sample of its endpoint', async () => {
    const { status, out } = await extract(
      argv`https://www.tiktok.com/@mira.kettle https://www.instagram.com/harbor.lantern/ --demo --json`,
    );
    assert.equal(status, 0);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data.username);
    assert.deepEqual(answers, ['mira.kettle', 'harbor.lantern']);
  });

  for (const [address, says] of [
    ['https://www.tiktok.com/music/x-7301234567890123456', /page of a sound, which no endpoint reads/],
    ['https://lnkd.in/abc', /makes short links/],
    ['https://example.com/profile', /No endpoint reads this page/],
  ] as const) {
    test(`suggests a replacement for ${address}`, async () => {
      const { err } = assertExit(await extract([address, '--demo']), 2);
      assert.match(JSON.parse(err).error.message, says);
    });
  }
});
