import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { programCommand } from '../../../../lib/runtime/program-command.js';
import { settingsInForce } from '../../../config/settings-in-force.js';
import { hasProgram } from '../../../config/surroundings.js';
import {
  cronLine,
  environmentText,
  type InstalledRun,
  type InstallFile,
  launchdFile,
  mergedCrontab,
  systemdFiles,
} from '../../../files/watch/install/install-texts.js';
import type { Scheduler } from '../../../files/watch/install/schedulers.js';
import { quotedFor } from '../../../output/shell-words.js';
import { type Timetable, timesOf } from '../../../service/schedule/timetable.js';
import { type Context, configOf } from '../context.js';
import { writeAtomically } from '../write-atomically.js';
import { type WatchedBatch, watchId } from './run-watch.js';

function nothingToInstallInto(what: string): ExtractError {
  return new ExtractError(
    'invalid_parameter',
    `This machine has ${what}. Install cron (apt-get install cron, dnf install cronie, apk add dcron) and start it, or run the watch without --install.`,
  );
}

/**
 * Returns the scheduler of this machine; null on Windows, whose own reads none of our files. Throws `invalid_parameter`
 * if there is none.
 */
export function systemScheduler(
  platform = process.platform,
  hasSystemd = existsSync('/run/systemd/system'),
  hasCron = hasProgram('crontab'),
): Scheduler | null {
  if (platform === 'win32') return null;
  if (platform === 'darwin') return 'launchd';
  if (platform === 'linux' && hasSystemd) return 'systemd';
  if (!hasCron) throw nothingToInstallInto('neither systemd nor cron');
  return 'cron';
}

const programOf = { cron: 'crontab', systemd: 'systemctl', launchd: 'launchctl' } as const;

/** Returns the arguments of a single run: without the timetable, and without progress. */
export function onceArguments(args: readonly string[]): readonly string[] {
  const options: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    if (arg === '--every') at += 1;
    else if (arg === '--install' && /^(systemd|cron|launchd)$/.test(args[at + 1] ?? '')) at += 1;
    else if (!/^(--install(=.*)?|--every=.*|--write|--once|-q|--quiet)$/.test(arg)) options.push(arg);
  }
  return [...options, '--once', '--quiet'];
}

/** Runs a program; resolves with its output. Rejects with `invalid_parameter` if it fails or is missing. */
async function runProgram(program: string, args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)(program, args);
  running.child.stdin?.on('error', () => undefined).end(input);
  try {
    return (await running).stdout;
  } catch (cause) {
    const { stderr = '', code, message } = cause as Error & { stderr?: string; code?: unknown };
    const what = stderr.trim() || (typeof code === 'number' ? `it ended with ${code}` : message);
    throw new ExtractError('invalid_parameter', `${[program, ...args].join(' ')} failed: ${what}`);
  }
}

/** The folder from which a scheduler reads this user's files, and the programs that load them. */
interface Installation {
  readonly folder: string;
  readonly begin: readonly (readonly [string, ...string[]])[];
  readonly end: string;
}

const installationOf: Readonly<
  Record<Exclude<Scheduler, 'cron'>, (name: string, home: string) => Installation>
> = {
  systemd: (name, home) => ({
    folder: path.join(home, '.config', 'systemd', 'user'),
    begin: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', `${name}.timer`],
    ],
    end: `systemctl --user disable --now ${name}.timer`,
  }),
  launchd: (name, home) => {
    const folder = path.join(home, 'Library', 'LaunchAgents');
    const file = path.join(folder, `${name}.plist`);
    return { folder, begin: [['launchctl', 'load', '-w', file]], end: `launchctl unload -w ${file}` };
  },
};

/**
 * Returns the user's crontab; empty if there is none. Rejects if it cannot be read, because its content would be lost.
 */
export async function readCrontab(run = runProgram): Promise<string> {
  try {
    return await run('crontab', ['-l']);
  } catch (cause) {
    if (cause instanceof ExtractError && /no crontab for|no such file/i.test(cause.message)) return '';
    throw cause;
  }
}

async function installCron({ stdout, stderr }: Context, run: InstalledRun, write: boolean): Promise<void> {
  const line = cronLine(run);
  await stdout.write(`${line}\n`);
  if (!write) return;
  await runProgram('crontab', ['-'], mergedCrontab(await readCrontab(), line, run.name));
  await stderr.write(`Wrote it to the crontab. \`crontab -e\` shows it, and ends it.\n`);
}

async function installFiles(
  { stdout, stderr }: Context,
  files: readonly InstallFile[],
  { folder, begin, end }: Installation,
  write: boolean,
): Promise<void> {
  for (const { name, text } of files) await stdout.write(`# ${path.join(folder, name)}\n${text}\n`);
  if (!write) return;
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) await writeAtomically(path.join(folder, name), [text]);
  for (const [program, ...args] of begin) await runProgram(program, args);
  await stderr.write(`Wrote ${files.map(({ name }) => name).join(' and ')}. \`${end}\` ends it.\n`);
}

interface InstallOptions {
  readonly batch: WatchedBatch;
  readonly webhook: string | undefined;
  readonly timetable: Timetable;
  /** The arguments, without the program's name. */
  readonly args: readonly string[];
  /** Null for the machine's default. */
  readonly scheduler: Scheduler | null;
  readonly write: boolean;
}

/**
 * Writes the settings of a run to a file that only this user can read, and reports their names. Null if there are none.
 */
async function installSettings(
  { stdout, stderr }: Context,
  file: string,
  settings: Readonly<Record<string, string>>,
  write: boolean,
): Promise<string | null> {
  const names = Object.keys(settings);
  if (names.length === 0) return null;
  await stdout.write(`# ${file} (mode 600): ${names.join(', ')}\n`);
  if (!write) return file;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, environmentText(settings), { mode: 0o600 });
  await stderr.write(`Wrote the settings in effect to ${file}: ${names.join(', ')}.\n`);
  return file;
}

/** Shows how to schedule a watch on this machine; with `write`, installs it. */
export async function installWatchCommand(
  context: Context,
  { batch, webhook, timetable, args, scheduler: schedulerName, write }: InstallOptions,
): Promise<void> {
  const { home } = await configOf(context);
  const scheduler = schedulerName ?? systemScheduler();
  const { command: program, args: itself } = programCommand();
  const command = [program, ...itself, ...onceArguments(args)];
  if (scheduler === null) {
    throw new ExtractError(
      'invalid_parameter',
      `Windows has no cron. Add this command to its Task Scheduler, to be run in ${process.cwd()}: ${command.map((word) => quotedFor(word, 'win32')).join(' ')}`,
    );
  }
  if (write && !hasProgram(programOf[scheduler])) {
    throw nothingToInstallInto(`no ${programOf[scheduler]}, which ${scheduler} needs`);
  }
  const id = watchId({ batch, webhook })
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 8)
    .toLowerCase();
  const name = `extract-watch-${batch.endpoint.path.replace('/', '-')}-${id}`;
  const { EXTRACT_HOME: _, ...settings } = settingsInForce();
  const settingsFile = path.join(home, 'watch', `${name}.env`);
  const run: InstalledRun = {
    name,
    times: timesOf(timetable),
    folder: process.cwd(),
    command,
    environment: { EXTRACT_HOME: home },
    environmentFile: await installSettings(context, settingsFile, settings, write),
  };
  if (scheduler === 'cron') await installCron(context, run, write);
  else {
    const files = scheduler === 'systemd' ? systemdFiles(run) : [launchdFile(run)];
    await installFiles(context, files, installationOf[scheduler](run.name, os.homedir()), write);
  }
  if (!write) await context.stderr.write('Preview only. Add --write to install it.\n');
}
