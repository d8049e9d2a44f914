import { Command } from 'commander';
import { brandList, brandOf, platforms, sites } from '../../../lib/platforms.js';
import { version } from '../../../lib/runtime/version.js';
import { quantity } from '../../output/number-text.js';
import { kebabCase } from '../../output/shell-words.js';
import { type CommandEntry, commandGroups, everyday, platformCommands } from './commands.js';
import type { Context } from './context.js';
import { defineEndpointCommand } from './endpoint-command.js';
import { afterword, introduction } from './endpoint-help.js';
import { helpTexts } from './help-texts.js';
import { refuseUnknownHelp } from './help-words.js';
import { hideRareOptions } from './shown-options.js';
import { colorText } from './terminal-text.js';

/** Commander's output, collected until it can be written. */
export interface CommanderOutput {
  out: string;
  err: string;
}

/** Replaces commander's texts for `help` on every command with subcommands. */
function nameHelp(command: Command): void {
  if (command.commands.length === 0) return;
  command.helpCommand('help [command]', 'Show the help of a command');
  refuseUnknownHelp(command);
  command.commands.forEach(nameHelp);
}

/** Loaded for help alone, which other commands start without. */
const isPriced = async (context: Context) => (await import('./spendable-credits.js')).hasPrices(context);

/** Hides rare options, and says how many. */
function noteHidden(command: Command, params: readonly string[] | null): void {
  const more = hideRareOptions(command, params);
  if (more > 0) command.addHelpText('after', `\n--help --all shows ${quantity(more, 'more option')}.`);
  for (const part of command.commands) noteHidden(part, null);
}

const defaultWidth = 80;

function configure(program: Command, { stdout, stderr, settings }: Context, output: CommanderOutput): void {
  program
    .configureOutput({
      writeOut: (text) => {
        output.out += text;
      },
      writeErr: (text) => {
        output.err += text;
      },
      // `reportError` writes all errors.
      outputError: () => undefined,
      getOutHelpWidth: () => stdout.columns ?? defaultWidth,
      getErrHelpWidth: () => stderr.columns ?? defaultWidth,
      getOutHasColors: () => stdout.isTTY && settings.color,
      getErrHasColors: () => stderr.isTTY && settings.color,
    })
    .configureHelp({
      // A list shows no arguments, which would push the summaries off a narrow screen.
      subcommandTerm: (command) =>
        sites.find(({ platform }) => platform === command.name())?.alias ?? command.name(),
      minWidthToWrap: 8,
      styleTitle: (text) => colorText('bold', text, true),
      showGlobalOptions: false,
      ...helpTexts,
    })
    .exitOverride()
    // An option belongs to the command before it: `credits add 5 --json`.
    .enablePositionalOptions();
}

/** True if the arguments contain the words in order, and so can lead to their command. */
function leads(args: readonly string[], words: readonly string[]): boolean {
  let from = 0;
  return words.every((word) => {
    const at = args.indexOf(word, from);
    from = at + 1;
    return at >= 0;
  });
}

/**
 * Builds the program. A group gets its commands, and a command its options, only if the arguments lead to it; null for
 * all. Help texts are only created for --help.
 */
export async function buildProgram(
  context: Context,
  args: readonly string[] | null,
  output: CommanderOutput = { out: '', err: '' },
): Promise<Command> {
  const program = new Command('extract');
  configure(program, context, output);
  program
    .description(`Get structured data from public ${brandList} pages.`)
    .version(version, '-V, --version', 'Show the version; --verbose adds the commit and Node.js')
    .helpOption('-h, --help', 'Show this help')
    .option('--all', 'With --help: every command, the settings and the exit statuses')
    .commandsGroup('Platforms:');
  const width = context.stdout.columns ?? defaultWidth;
  const helper = program.createHelp();
  helper.prepareContext({ helpWidth: width });
  const wrap = (text: string) => helper.boxWrap(text, width);
  const help = args?.some((arg) => arg === '--help' || arg === '-h' || arg === 'help') ?? false;
  const listsAll = args === null || args.includes('--all');
  const define = async (command: Command, load: CommandEntry['load']) =>
    (await load?.())?.defineCommand(command, context, () => buildProgram(context, null));
  for (const platform of platforms) {
    const rows = context.endpoints.filter((endpoint) => endpoint.platform === platform);
    if (rows.length === 0) continue;
    const group = program
      .command(platform)
      .description(`${brandOf(platform)}: ${rows.map(({ name }) => name).join(', ')}`);
    if (args !== null && !leads(args, [platform])) continue;
    for (const endpoint of rows) {
      const command = group.command(endpoint.name).summary(endpoint.summary);
      if (args !== null && !leads(args, [platform, endpoint.name])) continue;
      defineEndpointCommand(command, endpoint, context, args === null || help).description(
        introduction(endpoint, listsAll),
      );
      if (help) command.addHelpText('after', await afterword(endpoint, wrap));
      if (help && !listsAll) noteHidden(command, Object.keys(endpoint.params).map(kebabCase));
    }
    for (const { name, description, load, ...one } of platformCommands) {
      if (!rows.some(({ path }) => path === one.endpoint)) continue;
      const command = group.command(name).summary(description);
      if (args !== null && !leads(args, [platform, name])) continue;
      await define(command, load);
      if (help && !listsAll) noteHidden(command, null);
    }
  }
  for (const { title, commands } of commandGroups) {
    program.commandsGroup(title);
    for (const { name, description, load, parts = [] } of commands) {
      const hidden = !listsAll && !everyday.has(name);
      const command = program.command(name, { hidden }).description(description);
      if (args !== null && !leads(args, [name])) continue;
      await define(command, load);
      for (const part of parts) {
        const isHidden = part.priced === true && help && !listsAll && !(await isPriced(context));
        const below = command.command(part.name, { hidden: isHidden }).description(part.description);
        if (args === null || leads(args, [name, part.name])) await define(below, part.load);
      }
      if (help && !listsAll) noteHidden(command, null);
    }
  }
  nameHelp(program);
  if (help) {
    const { programHelp } = await import('./program-help.js');
    program.addHelpText('after', programHelp(helper, width, listsAll));
  }
  return program;
}
