import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { completionCommands } from '../completion/words.js';
import { zshScript } from '../completion/zsh.js';
import type { Context } from '../context.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;

/** `extract completion SHELL`: prints a completion script, derived from the program. */
export function defineCommand(
  command: Command,
  context: Context,
  wholeProgram: () => Promise<Command>,
): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action(async (shell: Shell) => {
      await context.stdout.write(scripts[shell](completionCommands(await wholeProgram())));
    });
}
