import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { endpoints } from '../../../lib/endpoints.js';
import { formerCommands } from '../../../src/faces/cli/commands.js';
import { contractWords } from '../../../src/faces/cli/contract-words.js';
import { usageError } from '../../../src/faces/cli/usage-error.js';
import { argv, assertExit, dataOf, errorOf, extract } from '../../support/cli.js';
import { programFor } from '../../support/whole-program.js';

/** Command lines with one mistake, and what the error says. */
const mistakes: readonly (readonly [args: string, says: RegExp])[] = [
  ['credit', /^Unknown command "credit"\. Did you mean credits\? extract --help/],
  ['keys revok', /^Unknown command "revok"\. Did you mean revoke\? extract server keys --help/],
  ['profile nasa', /Which platform’s profile\? Did you mean extract pronetwork profile, .* or .* profile\?/],
  ['tiktk profile nasa', /^Unknown command "tiktk"\. Did you mean tiktok\?/],
  ['linkdin company acme', /Did you mean linkedin\?/],
  ['hashtag sea', /Did you mean extract photosocial hashtag\?/],
  ['maps plces', /Unknown command "plces"\. Did you mean places\?/],
  [
    'maps search --query cafe',
    /command "search"\. It has places, place, .* and photos\. extract maps --help/,
  ],
  ['batch tiktok names.txt', /Endpoints: maps\/places|Did you mean shortvideo\//],
  ['batch shortvideo/profil names.txt', /Did you mean shortvideo\/profile\?/],
  ['batch profile names.txt', /mean pronetwork\/profile, photosocial\/profile or shortvideo\/profile\?/],
  ['batch nonsense names.txt', /Endpoints: maps\/places, /],
  ['watch maps/plce names.txt --every 1h', /Did you mean maps\/place\?|Did you mean maps\/places/],
  ['errors private_account', /Did you mean account_private\? extract errors lists the codes\./],
  ['errors rate_limit', /Did you mean rate_limited\? extract errors lists the codes\./],
  ['mcp install cursr', /Did you mean cursor\? Clients: /],
  ['mcp --platforms mapps', /--platforms cannot be "mapps"\. Did you mean maps\? Choose from /],
  ['shortvideo profile nasa --demo --fields usernme', /Did you mean username\? Fields: username, /],
  ['usage --endpoint maps/plac', /Unknown endpoint .*Did you mean maps\/place\?/],
  ['doctor --live shortvideo/profil', /Did you mean shortvideo\/profile\?/],
  ['shortvideo profile nasa --dmo', /Unknown option --dmo\. Did you mean --demo\?/],
];

for (const [args, says] of mistakes)
  test(`extract ${args}`, async () => {
    assert.match((await errorOf(args.split(' '), 2)).message, says);
  });

/** The word with one letter missing, doubled, or swapped with the next, at each place. */
function misspelt(word: string): string[] {
  const places = [...word].map((_, at) => at);
  return [
    ...places.map((at) => word.slice(0, at) + word.slice(at + 1)),
    ...places.map((at) => word.slice(0, at + 1) + word.slice(at)),
    ...places.slice(1).map((at) => word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1)),
  ].filter((typed) => typed !== '');
}

test('every command is suggested for its name with one letter wrong', async () => {
  const visit = ({ commands }: Command, command: string): void => {
    const subcommands = commands.map((one) => one.name());
    for (const name of subcommands) {
      for (const typed of misspelt(name).filter((word) => !subcommands.includes(word))) {
        const fault = new CommanderError(1, 'commander.unknownCommand', `error: unknown command '${typed}'`);
        const { message } = usageError(fault, { command, subcommands }, endpoints);
        assert.match(message, new RegExp(`Did you mean .*\\b${name}\\b`), `${command} ${typed}`);
      }
    }
    for (const one of commands) visit(one, `${command} ${one.name()}`);
  };
  visit(await programFor(null), 'extract');
});

/** Familiar names, and paths as `batch` has them, in addition to the contract's own words. */
for (const name of ['tiktok profile', 'TikTok/profile', 'shortvideo/profile'])
  test(`extract ${name} is extract shortvideo profile`, async () => {
    const { username } = await dataOf(argv`${name.split(' ')} mira.kettle --demo`);
    assert.equal(username, 'mira.kettle');
  });

test('a batch takes the names that people know', async () => {
  for (const endpoint of [['instagram/profile'], ['instagram', 'profile']]) {
    const args = argv`batch ${endpoint} - --input-format text --dry-run --json`;
    assertExit(await extract(args, { stdin: 'fern.atlas\n' }), 0);
  }
});

test('a command that has a new name is still known under its old one', async () => {
  for (const [former, now] of formerCommands) {
    assert.deepEqual(contractWords(argv`${former} x --help`), [...now, 'x', '--help']);
    assert.deepEqual(contractWords(['help', ...former]), ['help', ...now]);
    const { out } = assertExit(await extract([...former, '--help']), 0);
    assert.ok(out.startsWith(`Usage: extract ${now.join(' ')} `), out.slice(0, 60));
  }
});
