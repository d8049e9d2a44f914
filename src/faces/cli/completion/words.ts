import type { Command, Option } from 'commander';

const wordsByCommand = new WeakMap<Command, readonly string[]>();

/** Sets completion words of a command's argument that would be too many for its help. */
export function setCompletionWords(command: Command, words: readonly string[]): void {
  wordsByCommand.set(command, words);
}

function completionWords(command: Command): readonly string[] {
  return (
    wordsByCommand.get(command) ?? command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  );
}

export interface CompletionOption {
  readonly names: readonly string[];
  readonly meaning: string;
  /** Null for a flag; otherwise words, a directory, a file, or anything (no words). */
  readonly takes: {
    readonly words: readonly string[];
    readonly directory: boolean;
    readonly file: boolean;
  } | null;
}

export interface CompletionCommand {
  /** The words of the command, without the program's name. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly meaning: string }[];
  readonly options: readonly CompletionOption[];
  /** Possible values of its argument. */
  readonly words: readonly string[];
  /** True if an argument can be a file: after one of the words, if there are any. */
  readonly takesFiles: boolean;
}

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

/** Returns all commands with their possible next words, the program itself first. */
export function completionCommands(command: Command, path: readonly string[] = []): CompletionCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const entry: CompletionCommand = {
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
  return [entry, ...inner.flatMap((one) => completionCommands(one, [...path, one.name()]))];
}
