import type { Command } from 'commander';

const offered = new WeakMap<Command, readonly string[]>();

/** Words to complete a command's plain argument with, where a list of them would be too long for its help. */
export function offerWords(command: Command, words: readonly string[]): void {
  offered.set(command, words);
}

/** Words that a command's plain argument can be. */
export function plainWords(command: Command): readonly string[] {
  return offered.get(command) ?? command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
}
