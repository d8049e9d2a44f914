import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Environment } from '../../lib/config-values.js';

/** The file by which each runtime marks its containers. */
const containerMarks = { docker: '/.dockerenv', podman: '/run/.containerenv' } as const;

/**
 * The start of an operator's command on the data of a server that runs as our systemd unit: as its user, in its
 * directory.
 */
export const systemdPrefix =
  'systemd-run --pipe --quiet --collect -p DynamicUser=yes -p User=extract -p StateDirectory=extract -p EnvironmentFile=-/etc/extract.env -E EXTRACT_HOME=/var/lib/extract extract';

/**
 * Returns how commands on this server's data begin: in the unit, in the container, or plain. A container's host name is
 * its ID, unless the operator has set another one.
 */
export function commandPrefix(
  env: Environment = process.env,
  exists: (file: string) => boolean = existsSync,
  hostname = os.hostname(),
): string {
  if (env.INVOCATION_ID !== undefined && env.STATE_DIRECTORY !== undefined) return systemdPrefix;
  for (const [runtime, mark] of Object.entries(containerMarks))
    if (exists(mark))
      return `${runtime} exec ${/^[0-9a-f]{12}$/.test(hostname) ? hostname : 'CONTAINER'} extract`;
  return 'extract';
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
