import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../lib/config-values.js';

const containerMarks = ['/.dockerenv', '/run/.containerenv'];

/** An operator's command as typed if the server runs as our systemd unit: as its user, in its directory. */
const underSystemd =
  'systemd-run --pipe --quiet --collect -p DynamicUser=yes -p User=extract -p StateDirectory=extract -p EnvironmentFile=-/etc/extract.env -E EXTRACT_HOME=/var/lib/extract extract';

/** The start of a command that acts on the same data as a server. */
export const commandPrefixes = {
  systemd: underSystemd,
  compose: 'docker compose exec extract extract',
} as const;

/** Returns how commands on this server's data begin: in the unit, in the container, or plain. */
export function commandPrefix(
  env: Environment = process.env,
  exists: (file: string) => boolean = existsSync,
): string {
  if (env.INVOCATION_ID !== undefined && env.STATE_DIRECTORY !== undefined) return commandPrefixes.systemd;
  return containerMarks.some(exists) ? commandPrefixes.compose : 'extract';
}

/** Returns true if the machine has a program, searched as a shell does. */
export function hasProgram(name: string, env: Environment = process.env): boolean {
  return (env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}

/**
 * Raises the number of threads for disk access, unless the operator has set it: with Node's four, the syncs of one
 * account delay the files of others. Must run before anything else uses the disk.
 */
export function allowDiskThreads(env: NodeJS.ProcessEnv = process.env): void {
  env.UV_THREADPOOL_SIZE ??= '16';
}
