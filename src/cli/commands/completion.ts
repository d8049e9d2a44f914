import { Argument, type Command } from 'commander';
import { completionScript, shells } from '../completion/script.js';
import type { Context } from '../context.js';
import { buildProgram } from '../program.js';

/**
 * `extract completion SHELL`: the script that completes commands and options, made from the whole program itself.
 */
export function fillCompletion(command: Command, context: Context): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) => {
      await context.stdout.write(completionScript(shell, await buildProgram(context, null)));
    });
}
