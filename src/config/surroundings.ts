import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../lib/config-values.js';

/** The files by which container runtimes say that a program runs in one. */
const containerMarks = ['/.dockerenv', '/run/.containerenv'];

/** A command of the operator, as it is typed where the server runs as a unit of ours: as its user, in its directory. */
const underSystemd =
  'systemd-run --pipe --quiet --collect -p DynamicUser=yes -p User=extract -p StateDirectory=extract -p EnvironmentFile=-/etc/extract.env -E EXTRACT_HOME=/var/lib/extract extract';

/** The words before the arguments of a command that acts on the same data as a server. */
export const commandPrefixes = {
  systemd: underSystemd,
  compose: 'docker compose exec extract extract',
} as const;

/** How a command that acts on this server's data begins: in the unit, in the container, or as it is. */
export function commandPrefix(
  env: Environment = process.env,
  exists: (file: string) => boolean = existsSync,
): string {
  // systemd tells a unit its directory; nothing else sets both.
  if (env.INVOCATION_ID !== undefined && env.STATE_DIRECTORY !== undefined) return commandPrefixes.systemd;
  return containerMarks.some(exists) ? commandPrefixes.compose : 'extract';
}

/** Whether the machine has a program, where a shell would look for it. */
export function hasProgram(name: string, env: Environment = process.env): boolean {
  return (env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}

/**
 * Gives this process more threads that wait for its disk, unless the operator has chosen their number: with Node's four, what
 * one account has synced keeps the files of others waiting. To be called before anything else uses the disk.
 */
export function allowDiskThreads(env: NodeJS.ProcessEnv = process.env): void {
  env.UV_THREADPOOL_SIZE ??= '16';
}
