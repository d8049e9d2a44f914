import type { Help } from 'commander';
import { sites } from '../../../lib/platforms.js';
import { settings } from '../../config/settings.js';

/** First commands to try; each works as typed. */
export const firstExamples: readonly (readonly [command: string, meaning: string])[] = [
  ['extract tiktok profile mira.kettle --demo', 'sample data'],
  ['extract https://www.tiktok.com/@nasa', 'a real page'],
  ['extract batch tiktok/profile names.txt -o profiles.xlsx', 'many'],
];

/** The meaning of each exit status; the error catalogue assigns them. */
export const exitStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'an internal error of extract'],
  [2, 'wrong usage or parameters'],
  [3, 'authentication, permission or credits'],
  [4, 'not found, private or gone'],
  [5, 'the platform refused, failed or changed'],
  [6, 'rate limited'],
  [7, 'a batch finished with failed lines, or lines do not verify'],
  [8, 'an archive was altered'],
  [130, 'interrupted'],
];

/** The most common settings; `extract config` shows all of them. */
const commonSettings = ['EXTRACT_HOME', 'EXTRACT_BASE_URL', 'EXTRACT_API_KEY', 'HTTPS_PROXY'];

/** Formats two columns like commander's lists, with a hanging indent. */
function rows(entries: readonly (readonly [name: string, meaning: string])[], help: Help): string[] {
  const column = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, meaning]) => help.formatItem(name, column, meaning, help));
}

const firstSentence = (text: string) => text.replace(/[.;:] .*$/s, '').replace(/`|\.$/g, '');

/** Returns the text below the commands: first steps, and with `all` the settings and exit statuses. */
export function programHelp(help: Help, width: number, all: boolean): string {
  const wrap = (line: string) => help.boxWrap(line, width);
  const common = commonSettings.flatMap((name): [string, string][] => {
    const setting = settings.find((one) => one.name.split(/[\s,|`]+/).includes(name));
    return setting === undefined ? [] : [[name, firstSentence(setting.text)]];
  });
  const lines = [
    'First steps:',
    ...rows(firstExamples, help),
    '',
    'Every endpoint accepts --demo. COMMAND --help shows the options of a command.',
    ...(all
      ? [
          `The API’s names work, too: ${sites.map(({ alias, platform }) => `${platform} for ${alias}`).join(', ')}.`,
          '',
          'Settings (environment variables; extract config shows all of them):',
          ...rows(common, help),
          '',
          'Exit statuses:',
          ...rows(
            exitStatuses.map(([status, meaning]) => [String(status), meaning]),
            help,
          ),
        ]
      : ['extract --help --all lists every command, the settings and the exit statuses.']),
  ];
  return `\n${lines.map(wrap).join('\n')}`;
}
