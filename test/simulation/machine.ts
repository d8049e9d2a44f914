import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { Random } from './random.js';
import { Timeline } from './timeline.js';

/*
 * The machine that a history runs on. Modules loaded after this one get the simulation's time, random numbers and
 * processes: the sources run unchanged, through `systemClock`.
 */

/** A process of the simulated machine. */
export class SimulatedProcess {
  isDead = false;
  /** Statements that it executes before it is killed; undefined for no limit. */
  fuse: number | undefined;
  readonly pid: number;
  readonly name: string;
  readonly #onKill: (() => void)[] = [];

  constructor(pid: number, name: string) {
    this.pid = pid;
    this.name = name;
  }

  /** Runs work, and everything that it starts, as part of this process. */
  run<T>(work: () => T): T {
    return running.run(this, work);
  }

  onKill(work: () => void): void {
    this.#onKill.push(work);
  }

  /** Counts a statement, before which the process may be killed. */
  burn(): void {
    if (this.fuse === undefined) return;
    this.fuse -= 1;
    if (this.fuse < 0) this.kill();
  }

  /** Kills the process between two awaits: its timers never fire, and its files are closed. */
  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const work of this.#onKill) work();
  }
}

const running = new AsyncLocalStorage<SimulatedProcess>();
/** The process that the current code belongs to; undefined in the simulation itself. */
export const currentProcess = (): SimulatedProcess | undefined => running.getStore();

/** Pids of simulated processes begin here: no real process has such a number. */
const firstPid = 10_000_000;
const switchedOn = Date.UTC(2026, 10, 2, 9);

export const machine = {
  timeline: new Timeline(),
  random: new Random(0),
  processes: new Map<number, SimulatedProcess>(),
  /** Milliseconds by which the date is ahead of the time that has passed. */
  dateOffset: 0,
  /** Milliseconds of processor time, for which timers do not wait. */
  busyMs: 0,
  reset(seed: number): void {
    for (const process of machine.processes.values()) process.kill();
    machine.processes.clear();
    machine.timeline.clear();
    machine.random = new Random(seed);
    machine.dateOffset = 0;
    machine.busyMs = 0;
  },
  startProcess(name: string): SimulatedProcess {
    const started = new SimulatedProcess(firstPid + machine.processes.size, name);
    machine.processes.set(started.pid, started);
    return started;
  },
};

/** Calls back after `ms` in the calling process, if it is still alive. */
export function later(ms: number, ring: () => void): () => void {
  const owner = currentProcess();
  return machine.timeline.after(ms, () => {
    if (owner === undefined) ring();
    else if (!owner.isDead) owner.run(ring);
  });
}

/** Resolves after `ms` of simulated time; never in a killed process. */
export const pass = (ms: number): Promise<void> => new Promise((resolve) => void later(ms, resolve));

class SimulatedTimer {
  readonly clear: () => void;

  constructor(clear: () => void) {
    this.clear = clear;
  }

  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}

const real = { pid: process.pid, kill: process.kill.bind(process) };
const elapsed = () => machine.timeline.now + machine.busyMs;

Date.now = () => switchedOn + Math.floor(machine.timeline.now) + machine.dateOffset;
performance.now = elapsed;
process.hrtime.bigint = () => BigInt(Math.round(elapsed() * 1e6));
Math.random = () => machine.random.fraction();
const setTimeoutSimulated = (ring: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  new SimulatedTimer(later(ms, () => ring(...args)));
const clearTimeoutSimulated = (timer: unknown) => {
  if (timer instanceof SimulatedTimer) timer.clear();
};
Object.assign(globalThis, { setTimeout: setTimeoutSimulated, clearTimeout: clearTimeoutSimulated });
Object.assign(timers, { setTimeout: pass });
Object.defineProperty(process, 'pid', { get: () => currentProcess()?.pid ?? real.pid });
process.kill = (pid, signal) => {
  if (pid < firstPid) return real.kill(pid, signal);
  if (machine.processes.get(pid)?.isDead !== false)
    throw Object.assign(new Error('There is no such process.'), { code: 'ESRCH' });
  return true;
};
const randomBytes = (count: number) => machine.random.bytes(count);
const randomUUID = () => {
  const digits = randomBytes(16).toString('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
Object.assign(crypto, { randomBytes, randomUUID });
syncBuiltinESMExports();
