import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { addressedLines } from '../../../src/faces/cli/address-words.js';
import { argv, assertExit, errorOf, extract } from '../../support/cli.js';
import { ndjsonValues } from '../../support/ndjson.js';

const lines = (text: string) => addressedLines(text.split(' '), endpoints).map((line) => line.join(' '));

/** Addresses, and the commands that they follow. */
const addressed: Readonly<Record<string, string>> = {
  'https://www.tiktok.com/@mira --json': 'shortvideo profile',
  'tiktok.com/@mira/video/7301234567890123456': 'shortvideo video',
  'https://www.instagram.com/p/Cabcdefghij/': 'photosocial post',
  'https://www.linkedin.com/in/ada-lovelace': 'pronetwork profile',
  'https://www.linkedin.com/company/acme': 'pronetwork company',
  'https://maps.google.com/?cid=1234567890123456789': 'maps place',
};

/** Texts that stay as they are: mistyped or ambiguous words, for the error to explain, and other commands. */
const unchanged = [
  ...[
    'shortvideo profle',
    'shortvideo vidoes --all',
    'maps cover',
    'pronetwork acme',
    'photosocial nike foo',
  ],
  ...['shortvideo --help', 'batch shortvideo/profile names.txt'],
];

/** What a user types, and the equivalent command lines. */
const typed: readonly (readonly [text: string, ...lines: string[]])[] = [
  ...Object.entries(addressed).map(([text, command]) => [text, `${command} ${text}`] as const),
  ...unchanged.map((text) => [text, text] as const),
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
  ['photosocial instagram.com/p/Cabcdefghij/', 'photosocial post instagram.com/p/Cabcdefghij/'],
];

describe('an address or a username instead of a command', () => {
  for (const [text, ...expected] of typed) test(text, () => assert.deepEqual(lines(text), expected));

  test('answers each address, and shows the sample of its endpoint', async () => {
    const urls = argv`https://www.tiktok.com/@mira.kettle https://www.instagram.com/harbor.lantern/`;
    const { out } = assertExit(await extract(argv`${urls} --demo --json`), 0);
    const usernames = ndjsonValues(out).map(({ data }) => data.username);
    assert.deepEqual(usernames, ['mira.kettle', 'harbor.lantern']);
  });

  for (const [address, says] of [
    ['https://www.tiktok.com/music/x-7301234567890123456', /page of a sound, which no endpoint reads/],
    ['https://lnkd.in/abc', /makes short links/],
    ['https://example.com/profile', /No endpoint reads this page/],
  ] as const)
    test(`suggests a replacement for ${address}`, async () => {
      assert.match((await errorOf([address, '--demo'], 2)).message, says);
    });
});
