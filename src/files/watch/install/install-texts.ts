import { shellQuoted } from '../../../output/shell-words.js';
import type { Times } from '../../../service/schedule/timetable.js';
import { cronFields, launchdTimes, systemdTimes } from './calendar.js';

/** A run of a watch, to be started by a scheduler. */
export interface InstalledRun {
  /** Unique, and the same for the same watch. */
  readonly name: string;
  readonly times: Times;
  readonly folder: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A file of further variables; null for none. */
  readonly environmentFile: string | null;
}

/** Formats a file of variables for shells and systemd. */
export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\$`]/g, '\\$&')}"\n`)
    .join('');

export interface InstallFile {
  readonly name: string;
  readonly text: string;
}

/** Quotes a word for systemd, doubling its specifier character. */
function systemdQuoted(word: string): string {
  const text = word.replaceAll('%', '%%');
  return /^[\w@%+=:,./$-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Returns the service and the timer for systemd. Runs missed during sleep are made up for by one run. */
export function systemdFiles(run: InstalledRun): readonly InstallFile[] {
  const { name, times, folder, command, environment, environmentFile } = run;
  const variables = Object.entries(environment).map(
    ([key, value]) => `Environment=${systemdQuoted(`${key}=${value}`)}`,
  );
  const service = [
    ...['[Unit]', `Description=${name}`, '', '[Service]', 'Type=oneshot'],
    `WorkingDirectory=${folder.replaceAll('%', '%%')}`,
    ...variables,
    ...(environmentFile === null ? [] : [`EnvironmentFile=${environmentFile.replaceAll('%', '%%')}`]),
    // systemd expands variables in commands only.
    `ExecStart=${command.map((word) => systemdQuoted(word.replaceAll('$', '$$$$'))).join(' ')}`,
  ];
  const timer = [
    ...['[Unit]', `Description=Times of ${name}`, '', '[Timer]'],
    ...systemdTimes(times),
    ...['Persistent=true', '', '[Install]', 'WantedBy=timers.target'],
  ];
  return [
    { name: `${name}.service`, text: `${service.join('\n')}\n` },
    { name: `${name}.timer`, text: `${timer.join('\n')}\n` },
  ];
}

/** Returns the crontab line, which ends with the watch's name so that a later one replaces it. */
export function cronLine(run: InstalledRun): string {
  const { name, times, folder, command, environment, environmentFile: file } = run;
  const variables = Object.entries(environment).map(([key, value]) => `${key}=${shellQuoted(value)}`);
  const settings = file === null ? [] : ['set', '-a', '&&', '.', shellQuoted(file), '&&'];
  const words = ['cd', shellQuoted(folder), '&&', ...settings, ...variables, ...command.map(shellQuoted)];
  // cron ends the line at a percent sign.
  return `${cronFields(times)} ${words.join(' ').replaceAll('%', '\\%')} # ${name}`;
}

/** Returns a crontab in which the line replaces the line of its name, or is appended. */
export function mergedCrontab(before: string, line: string, name: string): string {
  const others = before.split('\n').filter((one) => one !== '' && !one.endsWith(`# ${name}`));
  return `${[...others, line].join('\n')}\n`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const dictionary = (entries: readonly string[]) => `<dict>${entries.join('')}</dict>`;

export function launchdFile(run: InstalledRun): InstallFile {
  const { name, times, folder, command: program, environment, environmentFile: file } = run;
  // launchd does not support a file of variables, so a shell reads it.
  const reads = ['/bin/sh', '-c', 'set -a && . "$0" && exec "$@"'];
  const command = file === null ? program : [...reads, file, ...program];
  const string = (text: string) => `<string>${escaped(text)}</string>`;
  const launchTimes = launchdTimes(times);
  const moments =
    'seconds' in launchTimes
      ? `<key>StartInterval</key><integer>${launchTimes.seconds}</integer>`
      : `<key>StartCalendarInterval</key><array>${launchTimes.moments
          .map((moment) =>
            dictionary(
              Object.entries(moment).map(([key, value]) => `<key>${key}</key><integer>${value}</integer>`),
            ),
          )
          .join('')}</array>`;
  const variables = Object.entries(environment).map(
    ([key, value]) => `<key>${escaped(key)}</key>${string(value)}`,
  );
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0"><dict>',
    `  <key>Label</key>${string(name)}`,
    `  <key>ProgramArguments</key><array>${command.map(string).join('')}</array>`,
    `  <key>WorkingDirectory</key>${string(folder)}`,
    `  <key>EnvironmentVariables</key>${dictionary(variables)}`,
    `  ${moments}`,
    '</dict></plist>',
  ];
  return { name: `${name}.plist`, text: `${lines.join('\n')}\n` };
}
