import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { commandGroups } from '../../../src/faces/cli/commands.js';
import { programFor as program } from '../../support/whole-program.js';

const named = (parent: Command, name: string) => {
  const found = parent.commands.find((one) => one.name() === name);
  assert.ok(found, name);
  return found;
};

/** What a command takes: options, arguments and commands of its own. */
const takes = ({ options, registeredArguments, commands }: Command) =>
  options.length + registeredArguments.length + commands.length;

const others = commandGroups.flatMap(({ commands }) => commands);

describe('the program', () => {
  test('knows every command by name and meaning, wherever the arguments lead', async () => {
    const { commands } = await program(['shortvideo', 'profile', 'x']);
    for (const { name, description } of others) {
      assert.equal(commands.find((one) => one.name() === name)?.description(), description);
    }
  });

  test('makes only the command that the arguments lead to', async () => {
    const built = await program(['shortvideo', 'profile', 'x', '--json']);
    for (const { name } of others) assert.equal(takes(named(built, name)), 0, name);
    const shortvideo = named(built, 'shortvideo');
    assert.ok(takes(named(shortvideo, 'profile')) > 0);
    assert.equal(takes(named(shortvideo, 'videos')), 0);
  });

  test('says its help in the same words everywhere', async () => {
    const visit = (command: Command): void => {
      const text = command.helpInformation();
      assert.doesNotMatch(text, /display help|Default: \.|Default: $/m, command.name());
      command.commands.forEach(visit);
    };
    visit(await program(null));
  });

  for (const { name } of others) {
    test(`makes ${name} when it is asked for, also by way of help`, async () => {
      for (const args of [[name], ['help', name], [name, '--help']]) {
        assert.ok(takes(named(await program(args), name)) > 0);
      }
    });
  }

  test('makes every command where there are no arguments to follow', async () => {
    const built = await program(null);
    for (const { name } of others) assert.ok(takes(named(built, name)) > 0, name);
  });
});
