// Writes OUT/man/extract.1, the manual page of the command, from the same definitions as its help. Usage: node --import
// ./scripts/typescript.mjs scripts/man-page.ts OUT
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command, Help, Option } from 'commander';
import { endpoints } from '../lib/endpoints.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { version } from '../lib/runtime/version.js';
import { readProgramSettings } from '../src/config/program-config.js';
import { settings } from '../src/config/settings.js';
import { buildProgram } from '../src/faces/cli/program.js';
import { exitStatuses, firstExamples } from '../src/faces/cli/program-help.js';

/** Options shared by many commands are listed once, under their own heading. */
const sharedGroup = 'Output:';

/** Escapes text for roff: no accidental requests, ASCII only, hyphens that can be copied. */
export function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\n\x20-\x7e]/gu, (letter) => {
      return `\\[u${(letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`;
    })
    .replace(/^([.'])/gm, '\\&$1');
}

/** Converts paragraphs of Markdown to running text; code spans become bold. */
function paragraphs(text: string): string[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((part, index) => [...(index === 0 ? [] : ['.PP']), inline(part)]);
}

/** Allows long words, such as addresses, to break after these characters. */
const breakable = (word: string) => word.replace(/[/?@,|:](?=\w)/g, '$&\\:');

const inline = (text: string) =>
  roff(text)
    .replace(/\S{40,}/g, breakable)
    .replace(/`([^`\n]+)`/g, '\\fB$1\\fP');

const entry = (term: string, meaning: string) => ['.TP', `\\fB${roff(term)}\\fP`, inline(meaning || '\\ ')];

/** Returns options by the heading that the help uses. */
function optionsOf(command: Command, help: Help): Map<string, Option[]> {
  const groups = new Map<string, Option[]>();
  for (const option of help.visibleOptions(command)) {
    if (option.long === '--help') continue;
    const title = option.helpGroupHeading ?? 'Options:';
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return groups;
}

/** Returns the commands that have an action, with their words. */
function commandsOf(command: Command, words: readonly string[]): [string, Command][] {
  const subcommands = command.commands.filter((one) => one.name() !== 'help');
  const inner = subcommands.flatMap((one) => commandsOf(one, [...words, one.name()]));
  const acts =
    subcommands.length === 0 || command.registeredArguments.length > 0 || words.join(' ') === 'credits';
  return words.length > 0 && acts ? [[words.join(' '), command], ...inner] : inner;
}

function section(words: string, command: Command, help: Help): string[] {
  const lines = [`.SS ${roff(`extract ${words}`)}`];
  const usage = `extract ${words} ${command.usage()}`.replace(/ \[command\]/, '');
  lines.push(`\\fB${roff(usage)}\\fP`, '.PP', ...paragraphs(command.description() || command.summary()));
  for (const argument of help.visibleArguments(command)) {
    lines.push(...entry(`<${argument.name()}>`, help.argumentDescription(argument)));
  }
  for (const [title, options] of optionsOf(command, help)) {
    if (title === sharedGroup) continue;
    for (const option of options) lines.push(...entry(option.flags, help.optionDescription(option)));
  }
  return lines;
}

/**
 * Returns the date of the newest release in the changelog or, before the first one, the day the changelog was written.
 */
function releaseDate(): string {
  const file = path.join(packageRoot(), 'CHANGELOG.md');
  const [, date] = /^## .*?(\d{4}-\d{2}-\d{2})/m.exec(readFileSync(file, 'utf8')) ?? [];
  return date ?? statSync(file).mtime.toISOString().slice(0, 10);
}

/** Returns the manual page: commander's definitions, the table of settings and the exit statuses as roff. */
export async function manPage(): Promise<string> {
  const stream = { isTTY: false, columns: undefined, write: async () => undefined };
  const unused = () => {
    throw new Error('A manual page runs no command');
  };
  const program = await buildProgram(
    {
      endpoints,
      askSecret: async () => '',
      stdin: unused,
      stdout: stream,
      stderr: stream,
      settings: readProgramSettings({ NO_COLOR: '1' }),
      signal: new AbortController().signal,
      openExtractor: unused,
    },
    null,
  );
  const help = program.createHelp();
  const commands = commandsOf(program, []);
  const shared = commands.flatMap(([, command]) => optionsOf(command, help).get(sharedGroup) ?? []);
  const once = [...new Map(shared.map((option) => [option.flags, option])).values()];
  return `${[
    `.TH EXTRACT 1 "${releaseDate()}" "extract ${version}" "User Commands"`,
    // Ragged right: long names of settings and addresses leave few words to justify.
    '.ad l',
    '.nh',
    '.SH NAME',
    `extract \\- ${roff(program.description().replace(/\.$/, '').replace(/^S/, 's'))}`,
    '.SH SYNOPSIS',
    '\\fBextract\\fP <platform> <endpoint> [options] [value]',
    '.br',
    '\\fBextract\\fP <command> [options]',
    '.SH EXAMPLES',
    ...firstExamples.flatMap(([command, meaning]) => entry(command, meaning)),
    '.SH OUTPUT OPTIONS',
    'Commands that answer with data share these options.',
    ...once.flatMap((option) => entry(option.flags, help.optionDescription(option))),
    '.SH COMMANDS',
    ...commands.flatMap(([words, command]) => section(words, command, help)),
    '.SH ENVIRONMENT',
    ...settings.flatMap(({ name, default: fallback, text }) =>
      entry(name, fallback === '' ? text : `${text} Default: ${fallback}.`),
    ),
    '.SH EXIT STATUS',
    ...exitStatuses.flatMap(([status, meaning]) => entry(String(status), meaning)),
  ].join('\n')}\n`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = path.resolve(process.argv[2] ?? 'dist', 'man');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'extract.1'), await manPage());
}
