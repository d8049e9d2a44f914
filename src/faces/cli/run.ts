import { type Command, CommanderError } from 'commander';
import type { Endpoint } from '../../../lib/endpoint.js';
import { platformOf, sites } from '../../../lib/platforms.js';
import { formerCommands } from './commands.js';
import type { Context } from './context.js';
import { contractWords } from './contract-words.js';
import { helpAsOption } from './help-words.js';
import { buildProgram } from './program.js';
import { reportError, writeWarnings } from './report.js';
import { isHelpShown, type ReachedCommand } from './usage-error.js';

/** Replaces the platform's name with the name that the user typed. */
function asTyped(text: string, [name = '', next = '']: readonly string[]): string {
  const alias = (name === 'help' ? next : name).split('/')[0]?.toLowerCase() ?? '';
  const site = sites.find((one) => one.alias === alias);
  return site === undefined
    ? text
    : text.replaceAll(new RegExp(`\\bextract ${site.platform}\\b`, 'g'), `extract ${site.alias}`);
}

/** Returns the command that the arguments lead to. */
function reachedCommand(
  program: Command,
  args: readonly string[],
  typedWords: readonly string[],
): ReachedCommand {
  const words = [program.name()];
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((one) => one.name() === arg);
    if (next === undefined) break;
    words.push(arg);
    command = next;
  }
  // `contractWords` has replaced brand names and former names, which commander does not know.
  const former = formerCommands.map(([[word = '']]) => word);
  const names = command === program ? [...sites.map(({ alias }) => alias), ...former] : [];
  const path = asTyped(words.join(' '), typedWords);
  const [argument] = command.registeredArguments;
  const choices = argument?.argChoices ?? [];
  return { command: path, subcommands: [...command.commands.map((one) => one.name()), ...names], choices };
}

const wholeProgram: ReachedCommand = { command: 'extract', subcommands: [] };

/** True if the line may contain an address, or a name instead of an endpoint; other lines need not load the parsers. */
function mayBeAddressed([first = '', second]: readonly string[], endpoints: readonly Endpoint[]): boolean {
  if (platformOf(first) === undefined) return /[./]/.test(first);
  return !endpoints.some(({ platform, name }) => platform === first && name === second);
}

/** Runs what was typed, several addresses one after the other. Returns the last non-zero status. Never throws. */
export async function run(typedWords: readonly string[], context: Context): Promise<number> {
  const args = contractWords(typedWords);
  let lines: readonly (readonly string[])[] = [args];
  try {
    if (mayBeAddressed(args, context.endpoints)) {
      const { addressedLines } = await import('./address-words.js');
      lines = addressedLines(args, context.endpoints);
    }
  } catch (error) {
    return reportError(error, { args, ...wholeProgram }, context).catch(() => 1);
  }
  let status = 0;
  for (const line of lines) {
    status = (await runLine(line, context, typedWords)) || status;
    if (context.signal.aborted) break;
  }
  return status;
}

async function runLine(
  args: readonly string[],
  outerContext: Context,
  typedWords: readonly string[],
): Promise<number> {
  const warnings: Error[] = [];
  const context: Context = {
    ...outerContext,
    openExtractor: (config, _, evidence) =>
      outerContext.openExtractor(config, (warning) => warnings.push(warning), evidence),
  };
  const output = { out: '', err: '' };
  let reachedLine = wholeProgram;
  try {
    const program = await buildProgram(context, args, output);
    reachedLine = reachedCommand(program, args, typedWords);
    try {
      await program.parseAsync(helpAsOption(program, args), { from: 'user' });
    } catch (error) {
      if (isHelpShown(error)) await context.stdout.write(asTyped(output.out, typedWords));
      else if (error instanceof CommanderError && error.code === 'commander.help') {
        // A group of commands without a subcommand.
        await context.stderr.write(asTyped(output.err, typedWords));
        return 2;
      } else throw error;
    } finally {
      await writeWarnings(warnings, args, context);
    }
    return 0;
  } catch (error) {
    return reportError(error, { args, ...reachedLine }, context).catch(() => 1);
  }
}
