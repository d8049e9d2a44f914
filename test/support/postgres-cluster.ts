import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
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

/** Folders in which the packages of Debian and of PostgreSQL itself install their programs, by version. */
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

/** Folder of the programs of PostgreSQL. Throws if there are none. */
export function programsFolder(): string {
  const folder = newestPrograms();
  if (folder === undefined) throw new Error(withoutPostgres ?? '');
  return folder;
}

/** Why a run cannot have a cluster; null if it can. */
export const withoutPostgres: string | null =
  process.env.TEST_POSTGRES === 'never'
    ? 'TEST_POSTGRES=never'
    : newestPrograms() === undefined
      ? `there is no PostgreSQL ${oldest} or newer (apt-get install postgresql)`
      : null;

export interface ClusterOptions {
  /** Commits wait for the disk. Slow, so only for crash tests. */
  readonly isDurable?: boolean;
  /** Port of 127.0.0.1 to listen on in addition to the socket. */
  readonly port?: number;
  /** Further settings of the server, such as `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Folder for the cluster's own folder, such as a small file system; by default the system's folder for temporary
   * files.
   */
  readonly within?: string;
  /** Folder for its write-ahead log; by default next to its data. */
  readonly walWithin?: string;
  /** Megabytes of a file of that log. */
  readonly walFile?: number;
  /** Prefix of the server's command, such as `nsenter --net=…`. */
  readonly through?: readonly string[];
  /** The cluster of which this one is a standby: it starts as a copy, and replicates it. */
  readonly standbyOf?: Pick<Cluster, 'url'>;
  /** Other addresses that may connect, such as `198.18.0.0/15`. */
  readonly admits?: string;
}

/** A PostgreSQL server for tests. */
export interface Cluster {
  /** Address of its first database, through the socket. */
  readonly url: string;
  /** Folder of its data, socket and log. */
  readonly folder: string;
  /** Starts if it is not running. Resolves when it accepts connections. */
  start(): Promise<void>;
  /** False once it has exited for any reason. */
  readonly isRunning: boolean;
  /** Kills the server like a crash: nothing further is written. */
  crash(): Promise<void>;
  /** Suspends the server and all its processes; the returned function resumes them. */
  freeze(): () => void;
  /** Stops the server and deletes its files. */
  remove(): Promise<void>;
}

/** Runs a program as a user that PostgreSQL and its pooler accept, and ends it with this process. */
export function asOther(program: string, args: readonly string[]): [string, readonly string[]] {
  const { uid, gid } = unprivileged;
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : [];
  return ['setpriv', [...user, '--pdeathsig=QUIT', program, ...args]];
}

function ownFolder(within: string): string {
  const folder = mkdtempSync(path.join(within, 'extract-postgres-'));
  if (process.getuid?.() === 0) chownSync(folder, unprivileged.uid, unprivileged.gid);
  return folder;
}

/** Makes a cluster in a temporary folder and starts it. */
export async function makeCluster({
  isDurable = false,
  port,
  settings = {},
  within = os.tmpdir(),
  walWithin,
  walFile = 16,
  through = [],
  admits,
  standbyOf,
}: ClusterOptions = {}): Promise<Cluster> {
  const programs = programsFolder();
  const folder = ownFolder(within);
  const wal = walWithin === undefined ? undefined : ownFolder(walWithin);
  const data = path.join(folder, 'data');
  const making = [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    ...['--no-sync', '--no-instructions', `--wal-segsize=${walFile}`],
    ...(wal === undefined ? [] : ['-X', path.join(wal, 'wal')]),
  ];
  const [setup, setupArgs] =
    standbyOf === undefined
      ? asOther(path.join(programs, 'initdb'), making)
      : asOther(path.join(programs, 'pg_basebackup'), [
          ...['-D', data, '-d', standbyOf.url, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'],
        ]);
  await promisify(execFile)(setup, setupArgs, { cwd: folder });
  if (admits !== undefined) {
    appendFileSync(path.join(data, 'pg_hba.conf'), `host all all ${admits} trust\n`);
  }

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
  const [file, args] = asOther(path.join(programs, 'postgres'), ['-D', data, ...options]);
  const [program = file, ...rest] = [...through, file, ...args];
  let running: ReturnType<typeof spawn> | undefined;

  const isReady = () => {
    const file = path.join(data, 'postmaster.pid');
    return existsSync(file) && /^(ready|standby)\s*$/m.test(readFileSync(file, 'utf8'));
  };
  const isRunning = () => running !== undefined && running.exitCode === null && running.signalCode === null;
  const crash = async () => {
    if (running === undefined || !isRunning()) return;
    // Awaited only now, so as not to delay the process.
    running.ref();
    const ended = once(running, 'exit');
    running.kill('SIGQUIT');
    running.kill('SIGCONT');
    await ended;
  };
  const deleteFolder = () => {
    for (const one of [folder, wal ?? folder]) rmSync(one, { recursive: true, force: true, maxRetries: 10 });
  };
  const atExit = () => {
    running?.kill('SIGQUIT');
    // The server removes its own files first.
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
    get isRunning() {
      return isRunning();
    },
    async start() {
      if (!isRunning()) {
        const log = openSync(path.join(folder, 'log'), 'a');
        running = spawn(program, rest, { cwd: folder, stdio: ['ignore', log, log] });
        closeSync(log);
        // A forgotten cluster does not keep this process alive and ends with it.
        running.unref();
      }
      while (!isReady()) {
        if (!isRunning()) throw new Error(readFileSync(path.join(folder, 'log'), 'utf8'));
        await pause(20);
      }
    },
    crash,
    freeze() {
      const first = running?.pid;
      if (first === undefined || !isRunning()) throw new Error('The server does not run.');
      // First the process that would start the others again.
      process.kill(first, 'SIGSTOP');
      const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ');
      const pids = [...children.map(Number), first];
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      };
    },
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
