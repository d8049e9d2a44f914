import { type Command, CommanderError } from 'commander';

/** `help accounts credit` and `accounts help credit` as `accounts credit --help`: commander takes one word after `help`. */
export function helpAsOption(program: Command, args: readonly string[]): readonly string[] {
  let command: Command | undefined = program;
  for (const [at, arg] of args.entries()) {
    if (command === undefined || command.commands.length === 0) return args;
    if (arg === 'help') return [...args.slice(0, at), ...args.slice(at + 1), '--help'];
    command = command.commands.find((one) => one.name() === arg);
  }
  return args;
}

/** Refuses the help of a command that is not there, where commander would show the commands above it. */
export function refuseUnknownHelp(command: Command): void {
  command.on('beforeHelp', () => {
    const [word = '-'] = command.args;
    if (word.startsWith('-') || command.registeredArguments.length > 0) return;
    throw new CommanderError(1, 'commander.unknownCommand', `error: unknown command '${word}'`);
  });
}
