import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Where the packages of Debian and of PostgreSQL itself put their programs, by version. */
const versionsFolder = '/usr/lib/postgresql';
const oldest = 15;
/** PostgreSQL refuses to run as root; this user owns nothing else. */
const unprivileged = { name: 'nobody', uid: 65_534, gid: 65_534 };

function newestPrograms(): string | undefined {
  const versions = existsSync(versionsFolder) ? readdirSync(versionsFolder).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => version >= oldest));
  const folder = path.join(versionsFolder, String(newest), 'bin');
  return existsSync(path.join(folder, 'initdb')) ? folder : undefined;
}

/** Folder of the programs of PostgreSQL. Throws where there are none. */
export function programsFolder(): string {
  const folder = newestPrograms();
  if (folder === undefined) throw new Error(withoutPostgres ?? '');
  return folder;
}

/** Why there is no cluster for a run; null where there can be one. */
export const withoutPostgres: string | null =
  process.env.TEST_POSTGRES === 'never'
    ? '--quick starts no PostgreSQL'
    : newestPrograms() === undefined
      ? `there is no PostgreSQL ${oldest} or newer (apt-get install postgresql)`
      : null;

export interface ClusterOptions {
  /** Commits are on the disk before they are acknowledged: for tests of crashes alone, as it is slow. */
  readonly isDurable?: boolean;
  /** Port of 127.0.0.1 to listen on, beside the socket. */
  readonly port?: number;
  /** Further settings of the server, such as `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A PostgreSQL server of the tests' own. */
export interface Cluster {
  /** Address of its first database, by the socket. */
  readonly url: string;
  /** Folder of its data, socket and log. */
  readonly folder: string;
  /** Begins to run. Resolves when connections are taken. */
  start(): Promise<void>;
  /** Ends the server as a crash would: nothing is written that has not been. */
  crash(): Promise<void>;
  /** Ends the server and deletes all that it has. */
  remove(): Promise<void>;
}

/** What runs a program as a user that PostgreSQL accepts, and ends it when this process has ended. */
function asOther(program: string, args: readonly string[]): [string, readonly string[]] {
  const { uid, gid } = unprivileged;
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : [];
  return ['setpriv', [...user, '--pdeathsig=QUIT', program, ...args]];
}

/** Makes a cluster in a temporary folder and starts it. */
export async function makeCluster({
  isDurable = false,
  port,
  settings = {},
}: ClusterOptions = {}): Promise<Cluster> {
  const programs = programsFolder();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-postgres-'));
  if (process.getuid?.() === 0) chownSync(folder, unprivileged.uid, unprivileged.gid);
  const data = path.join(folder, 'data');
  const [setup, setupArgs] = asOther(path.join(programs, 'initdb'), [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    ...['--no-sync', '--no-instructions'],
  ]);
  await promisify(execFile)(setup, setupArgs, { cwd: folder });

  const all: Readonly<Record<string, string>> = {
    listen_addresses: port === undefined ? '' : '127.0.0.1',
    port: String(port ?? 5432),
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '64MB',
    timezone: 'UTC',
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, args] = asOther(path.join(programs, 'postgres'), ['-D', data, ...options]);
  let running: ReturnType<typeof spawn> | undefined;

  const isReady = () => {
    const file = path.join(data, 'postmaster.pid');
    return existsSync(file) && /^ready\s*$/m.test(readFileSync(file, 'utf8'));
  };
  const crash = async () => {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    // Awaited from here on: it was not to hold its process up.
    running.ref();
    const ended = once(running, 'exit');
    running.kill('SIGQUIT');
    await ended;
  };
  const deleteFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  const atExit = () => {
    running?.kill('SIGQUIT');
    // The server takes its own files away first.
    const cell = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < 100 && existsSync(path.join(data, 'postmaster.pid')); tries += 1) {
      Atomics.wait(cell, 0, 0, 20);
    }
    deleteFolder();
  };
  process.once('exit', atExit);
  const cluster: Cluster = {
    url: `postgres://postgres@${encodeURIComponent(folder)}:${all.port}/postgres`,
    folder,
    async start() {
      const log = openSync(path.join(folder, 'log'), 'a');
      running = spawn(program, args, { cwd: folder, stdio: ['ignore', log, log] });
      closeSync(log);
      // Whoever forgets it is not kept waiting by it: it ends with this process.
      running.unref();
      while (!isReady()) {
        if (running.exitCode !== null) throw new Error(readFileSync(path.join(folder, 'log'), 'utf8'));
        await pause(20);
      }
    },
    crash,
    async remove() {
      await crash();
      process.off('exit', atExit);
      deleteFolder();
    },
  };
  try {
    await cluster.start();
  } catch (cause) {
    await cluster.remove();
    throw cause;
  }
  return cluster;
}
