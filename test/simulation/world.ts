import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { systemClock } from '../../lib/runtime/clock.js';
import { openDirectory } from '../../src/compose/open-store.js';
import { copySynced, disk, keeperOf, resetDisk } from './disk.js';
import { machine, type SimulatedProcess } from './machine.js';
import { Outside } from './platform.js';
import { mix, Random } from './random.js';
import { type Server, startServer } from './server.js';

/** An account as its client knows it. */
export interface Customer {
  readonly id: string;
  readonly key: { readonly id: string; readonly name: string };
  isDeleted: boolean;
  /** Credits certainly granted; `maybeGranted` are credits of grants that got no answer. */
  granted: number;
  maybeGranted: number;
}

/** A call as its client knows it: `lost` if no answer came. */
export interface AskedCall {
  readonly id: string;
  readonly account: string;
  readonly process: SimulatedProcess;
  outcome: 'open' | 'answered' | 'failed' | 'lost';
}

/** A job that a client requested; `id` is set once the client knows it. */
export interface AskedJob {
  readonly account: string;
  readonly inputs: readonly string[];
  readonly hook: boolean;
  readonly key: string | undefined;
  id: string | null;
  outcome: 'open' | 'accepted' | 'refused' | 'lost';
}

/** An operation that a client waits for. */
export interface Asking {
  readonly what: string;
  readonly server: Server;
  readonly since: number;
  readonly lose: () => void;
}

/** Pauses between steps: short enough to overlap running work, mixed, or long enough to reach distant due times. */
const paces = [
  [5, 100, 1000],
  [5, 100, 1000, 5000, 30_000, 660_000],
  [1000, 5000, 660_000],
] as const;

/** Milliseconds until every process has seen a suppression. */
const knownMs = 1000;

const root = mkdtempSync('/dev/shm/extract-simulation-');
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
const template = path.join(root, 'template');
let homes = 0;

/** Advances time until a promise settles. */
async function untilSettled(work: Promise<unknown>): Promise<void> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  while (!isSettled) {
    await turn();
    machine.timeline.ringNext(Number.POSITIVE_INFINITY);
  }
  await work;
}

/** A data directory with its tables. */
async function makeTemplate(home: string): Promise<void> {
  const store = await openDirectory(home, systemClock, 0);
  await store.database.write(() => undefined);
  await store.results.driver();
  await store.close();
}

const nextHome = () => {
  homes += 1;
  return path.join(root, String(homes));
};

/** One history: the machine, its servers, and what their clients know. */
export class World {
  readonly outside: Outside;
  /** True if several processes look for due deliveries and runs, as the nodes of a database do. */
  readonly hasNodes: boolean;
  /** Milliseconds that may pass between two steps. */
  readonly pauses: readonly number[];
  readonly servers: Server[] = [];
  /** Servers that are shutting down. */
  readonly stopping = new Set<Server>();
  readonly customers: Customer[] = [];
  readonly calls: AskedCall[] = [];
  readonly jobs: AskedJob[] = [];
  readonly schedules: { readonly account: string; readonly id: string }[] = [];
  /** Schedules that a user ran manually, possibly at the time of another run. */
  readonly ranNow = new Set<string>();
  /** Jobs whose webhooks a user requested again. */
  readonly redelivered = new Set<string>();
  /** When a user requested a delivery that was granted, by job: another one follows. */
  readonly owedSince = new Map<string, number>();
  /** People who are suppressed, with the time from which this is certain. */
  readonly suppressed = new Map<string, number>();
  /** People for whom forgetting has started. */
  readonly beingForgotten = new Set<string>();
  /** People who no longer occur in the lines stored at that time. */
  readonly forgotten: {
    readonly name: string;
    readonly lines: ReadonlySet<string>;
    readonly rewritten: readonly string[];
  }[] = [];
  readonly asking = new Set<Asking>();
  /** A broken promise that an operation observed. */
  broken: string | null = null;
  /** The log of events, a line each. */
  readonly log: string[] = [];
  home: string;
  /** True once the date was set back. */
  wentBack = false;
  /** True once it was set ahead by a day. */
  leaptDays = false;
  /** When the date was set ahead, and by how many milliseconds. */
  readonly leaps: { readonly at: number; readonly ms: number }[] = [];
  /** When a server last opened the directory: it knows nothing of earlier leaps. */
  startedAt = 0;
  /** Jobs whose results were deleted when the promises were last checked. */
  readonly deletedJobs = new Set<string>();

  private constructor(seed: number, home: string) {
    this.outside = new Outside(seed);
    const random = new Random(mix(seed, 'traits'));
    this.hasNodes = random.chance(0.5);
    this.pauses = random.pick(paces);
    this.home = home;
  }

  static async make(seed: number): Promise<World> {
    if (!existsSync(template)) await untilSettled(makeTemplate(template));
    machine.reset(seed);
    resetDisk();
    const home = nextHome();
    cpSync(template, home, { recursive: true });
    return new World(seed, home);
  }

  note(text: string): void {
    this.log.push(`${(machine.timeline.now / 1000).toFixed(3).padStart(12)} s  ${text}`);
  }

  /** The committed state of the ledger's file and of the lines' file. */
  get ledger(): Database {
    return keeperOf(path.join(this.home, 'ledger.db'));
  }

  get results(): Database {
    return keeperOf(path.join(this.home, 'results.db'));
  }

  isSuppressed(name: string): boolean {
    return machine.timeline.now - (this.suppressed.get(name) ?? Number.POSITIVE_INFINITY) > knownMs;
  }

  /** The lines that are stored: `JOB PLACE`. Numbers of rows are used again after a deletion. */
  lineKeys(): ReadonlySet<string> {
    return new Set(
      this.results.prepare<[], string>("SELECT job || ' ' || place FROM job_results").pluck().all(),
    );
  }

  /** Jobs whose lines are not all counted. */
  unfinishedJobs(): readonly string[] {
    return this.ledger.prepare<[], string>('SELECT id FROM jobs WHERE lines < total').pluck().all();
  }

  /** Starts a server and runs some turns of the event loop; it may be killed meanwhile, or find its disk unusable. */
  async start(): Promise<void> {
    const name = `server ${machine.processes.size}`;
    let isSettled = false;
    const starting = startServer(name, this).then(
      (server) => {
        if (server === null || server.process.isDead) return;
        this.servers.push(server);
        this.startedAt = machine.timeline.now;
        this.note(`${name} serves`);
      },
      (cause: unknown) => {
        this.note(`${name} does not start: ${cause instanceof Error ? cause.message.slice(0, 100) : cause}`);
        machine.processes.get(10_000_000 + machine.processes.size - 1)?.kill();
      },
    );
    void starting.then(() => {
      isSettled = true;
    });
    for (let turns = 0; turns < 400 && !isSettled; turns += 1) {
      await turn();
      if (turns % 4 === 3) machine.timeline.ringNext(machine.timeline.now + 50);
    }
  }

  /** Sends a request as a client does. A killed process never answers. */
  ask<T>(
    what: string,
    server: Server,
    work: () => Promise<T>,
    done: (value: T) => void,
    failed: (cause: unknown) => void,
    lost: () => void = () => undefined,
  ): void {
    const asking: Asking = { what, server, since: machine.timeline.now, lose: lost };
    this.asking.add(asking);
    const settle = (then: () => void) => {
      if (server.process.isDead || !this.asking.delete(asking)) return;
      then();
    };
    server.process.run(work).then(
      (value) => settle(() => done(value)),
      (cause: unknown) => settle(() => failed(cause)),
    );
  }

  /** Forgets servers whose processes have ended; their clients hear nothing more. */
  reap(): void {
    for (const server of [...this.servers]) {
      if (!server.process.isDead) continue;
      this.servers.splice(this.servers.indexOf(server), 1);
      this.note(`${server.process.name} is gone`);
    }
    for (const asking of this.asking) {
      if (!asking.server.process.isDead) continue;
      this.asking.delete(asking);
      asking.lose();
    }
  }

  kill(server: Server): void {
    server.process.kill();
    this.reap();
  }

  /** Kills all processes, and keeps only the synced state of the disk. */
  powerFails(): void {
    for (const process of machine.processes.values()) process.kill();
    this.reap();
    const home = nextHome();
    resetDisk(copySynced(this.home, home));
    rmSync(this.home, { recursive: true, force: true });
    this.home = home;
  }

  /** Runs the processes for some turns of the event loop, and advances time by up to `ms`. */
  async work(turns: number, ms = 0): Promise<void> {
    const end = machine.timeline.now + ms;
    for (let count = 0; count < turns; count += 1) {
      await turn();
      if (ms > 0) machine.timeline.ringNext(end);
    }
  }

  /** Advances time by `ms`, running everything that becomes due. */
  async pass(ms: number): Promise<void> {
    const end = machine.timeline.now + ms;
    do await this.settle();
    while (machine.timeline.ringNext(end));
    machine.timeline.now = Math.max(machine.timeline.now, end);
    await this.settle();
  }

  /** A few turns in which woken work continues as far as it can without time. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }

  async end(): Promise<void> {
    for (const process of machine.processes.values()) process.kill();
    this.reap();
    await this.settle();
    resetDisk();
    rmSync(this.home, { recursive: true, force: true });
    disk.isFull = false;
  }
}
