import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract } from '../../support/cli.js';

/** Command lines with one mistake, and what the error says. */
const mistakes: readonly (readonly [args: string, says: RegExp])[] = [
  [
    'profile nasa',
    /Which platform’s profile\? Did you mean extract pronetwork profile, .* or extract shortvideo profile\?/,
  ],
  ['hashtag sea', /Did you mean extract photosocial hashtag\?/],
  ['maps plces', /Unknown command "plces"\. Did you mean places\?/],
  [
    'maps search --query cafe',
    /Unknown command "search"\. It has places, place, .* and photos\. extract maps --help/,
  ],
  ['batch tiktok names.txt', /Endpoints: maps\/places|Did you mean shortvideo\//],
  ['batch shortvideo/profil names.txt', /Did you mean shortvideo\/profile\?/],
  [
    'batch profile names.txt',
    /Did you mean pronetwork\/profile, photosocial\/profile or shortvideo\/profile\?/,
  ],
  ['batch nonsense names.txt', /Endpoints: maps\/places, /],
  ['watch maps/plce names.txt --every 1h', /Did you mean maps\/place\?|Did you mean maps\/places/],
  ['errors rate_limit', /Did you mean rate_limited\? extract errors lists the codes\./],
  ['mcp install cursr', /Did you mean cursor\? Clients: /],
  ['mcp --platforms mapps', /--platforms cannot be "mapps"\. Did you mean maps\? Choose from /],
  ['shortvideo profile nasa --demo --fields usernme', /Did you mean username\? Fields: username, /],
  ['usage --endpoint maps/plac', /Did you mean maps\/place\? Choose from /],
  ['doctor --live shortvideo/profil', /Did you mean shortvideo\/profile\?/],
  ['shortvideo profile nasa --dmo', /There is no option --dmo\. Did you mean --demo\?/],
];

for (const [args, says] of mistakes) {
  test(`extract ${args}`, async () => {
    const { status, err } = await extract(args.split(' '));
    assert.equal(status, 2);
    assert.match(JSON.parse(err).error.message, says);
  });
}

/** Names that people know, and paths as `batch` has them, beside the contract's own words. */
const sameCall: readonly string[] = [
  'tiktok profile mira.kettle --demo',
  'TikTok/profile mira.kettle --demo',
  'shortvideo/profile mira.kettle --demo',
];

for (const args of sameCall) {
  test(`extract ${args} is extract shortvideo profile`, async () => {
    const { status, out } = await extract(args.split(' '));
    assert.equal(status, 0);
    assert.equal(JSON.parse(out).data.username, 'mira.kettle');
  });
}

test('a batch takes the names that people know', async () => {
  for (const endpoint of [['instagram/profile'], ['instagram', 'profile']]) {
    const args = ['batch', ...endpoint, '-', '--input-format', 'text', '--dry-run', '--json'];
    const { status, err } = await extract(args, { stdin: 'fern.atlas\n' });
    assert.equal(status, 0, err);
  }
});

/** What commander itself finds wrong, in our words. */
const usage: readonly (readonly [args: string, says: string])[] = [
  ['batch', 'The argument <endpoint> is missing.'],
  ['usage --limit', '--limit needs a value.'],
  ['usage --limit 0', '--limit cannot be "0". It must be a whole number from 1 to 100.'],
  ['keys create --name x', 'The option --email <address> is required.'],
  ['credits add x', '<credits> cannot be "x". '],
  ['credits add 5 6', 'There are too many arguments: 5, 6.'],
  ['config --format xml', '--format cannot be "xml". Choose from json, ndjson, csv, table.'],
];

for (const [args, says] of usage) {
  test(`extract ${args}, in our words`, async () => {
    const { status, err } = await extract(args.split(' '));
    assert.equal(status, 2);
    const { message } = JSON.parse(err).error;
    assert.ok(message.startsWith(says), message);
  });
}
