import type { Command } from 'commander';

const wordsByCommand = new WeakMap<Command, readonly string[]>();

/** Words to complete a command's plain argument with, where a list of them would be too long for its help. */
export function setCompletionWords(command: Command, words: readonly string[]): void {
  wordsByCommand.set(command, words);
}

/** Words that a command's plain argument can be. */
export function completionWords(command: Command): readonly string[] {
  return (
    wordsByCommand.get(command) ?? command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  );
}
