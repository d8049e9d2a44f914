import type { Command, Option } from 'commander';

const wordsByCommand = new WeakMap<Command, readonly string[]>();

/** Sets words to complete a command's plain argument with, if the list would be too long for its help. */
export function setCompletionWords(command: Command, words: readonly string[]): void {
  wordsByCommand.set(command, words);
}

/** Returns the words that a command's plain argument can be. */
function completionWords(command: Command): readonly string[] {
  return (
    wordsByCommand.get(command) ?? command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  );
}

/** An option for completion. */
export interface CompletionOption {
  /** Spellings with their dashes. */
  readonly names: readonly string[];
  readonly meaning: string;
  /** Null for a flag; else the words it takes, a directory, a file, or anything (no words). */
  readonly takes: {
    readonly words: readonly string[];
    readonly directory: boolean;
    readonly file: boolean;
  } | null;
}

/** A command for completion. */
export interface CompletionCommand {
  /** Words that lead to it, without the program's own name. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly meaning: string }[];
  readonly options: readonly CompletionOption[];
  /** Words that its plain argument can be. */
  readonly words: readonly string[];
  /** True if a plain argument can be a file: after one of the words, if there are any. */
  readonly takesFiles: boolean;
}

/** Names of arguments that are files or folders. */
const fileArguments: ReadonlySet<string> = new Set(['file', 'files', 'out', 'archive', 'results', 'dir']);

function firstSentence(text: string): string {
  return text.split(/\n|[.:;](?:\s|$)/, 1)[0] ?? '';
}

function optionWords({ short, long, description, argChoices, flags }: Option): CompletionOption {
  return {
    names: [long, short].filter((name) => typeof name === 'string'),
    meaning: firstSentence(description),
    takes: /[<[]/.test(flags)
      ? { words: argChoices ?? [], directory: flags.includes('<dir>'), file: flags.includes('<file>') }
      : null,
  };
}

/** Returns every command of a program with what can follow it, the program itself first. */
export function completionCommands(command: Command, path: readonly string[] = []): CompletionCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own: CompletionCommand = {
    path,
    commands: commands.map((one) => ({
      name: one.name(),
      meaning: firstSentence(one.summary() || one.description()),
    })),
    options: help.visibleOptions(command).map(optionWords),
    words: completionWords(command),
    takesFiles: command.registeredArguments.some((one) => fileArguments.has(one.name())),
  };
  const inner = commands.filter((one) => one.name() !== 'help');
  return [own, ...inner.flatMap((one) => completionCommands(one, [...path, one.name()]))];
}
