import { type Command, CommanderError } from 'commander';

/**
 * Rewrites `help accounts credit` and `accounts help credit` to `accounts credit --help`, because commander accepts one
 * word after `help`.
 */
export function helpAsOption(program: Command, args: readonly string[]): readonly string[] {
  let command: Command | undefined = program;
  for (const [at, arg] of args.entries()) {
    if (command === undefined || command.commands.length === 0) return args;
    if (arg === 'help') return [...args.slice(0, at), ...args.slice(at + 1), '--help'];
    command = command.commands.find((one) => one.name() === arg);
  }
  return args;
}

/** Rejects help for an unknown command, for which commander would show its parent's. */
export function refuseUnknownHelp(command: Command): void {
  command.on('beforeHelp', () => {
    const [word = '-'] = command.args;
    if (word.startsWith('-') || command.registeredArguments.length > 0) return;
    throw new CommanderError(1, 'commander.unknownCommand', `error: unknown command '${word}'`);
  });
}
