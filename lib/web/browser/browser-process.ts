import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Browser } from 'playwright-core';
import { ExtractError } from '../../errors/extract-error.js';
import type { Clock } from '../../runtime/clock.js';
import { BrowserFolder } from './browser-folder.js';
import { BrowserClosed, startError } from './faults.js';
import { loadDriver } from './find.js';

export interface BrowserProgram {
  readonly path: string;
  readonly sandbox: boolean;
  readonly headed: boolean;
  /** Proxy server, with user name and password if required. */
  readonly proxy: { readonly server: string; readonly username: string; readonly password: string } | null;
  arguments(): Promise<string[]>;
}

/** Milliseconds for the browser to start, and to exit before it is killed. */
const startMs = 30_000;
const endMs = 5_000;

/** Runs work that spawns a program and reports the process: `onSpawn` immediately, and again with the result. */
async function withProcess<T>(
  file: string,
  work: () => Promise<T>,
  onSpawn: (child: ChildProcess) => void,
): Promise<[T, ChildProcess | undefined]> {
  const processes: ChildProcess[] = [];
  const onStart = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    processes.push(child);
    // The event fires before `spawnfile` is set in the same tick.
    queueMicrotask(() => child.spawnfile === file && onSpawn(child));
  };
  subscribe('child_process', onStart);
  try {
    const result = await work();
    return [result, processes.find(({ spawnfile }) => spawnfile === file)];
  } finally {
    unsubscribe('child_process', onStart);
  }
}

/** Sets whether this process stays alive while the browser runs; the browser exits with it. */
function hold(child: ChildProcess | undefined, isSuspended: boolean): void {
  const handles = [child, ...((child?.stdio ?? []) as readonly (Socket | null)[])];
  for (const handle of handles) {
    if (isSuspended) handle?.ref?.();
    else handle?.unref?.();
  }
}

/** Kills a browser with its process group; a stopped child would outlive its parent. */
function killAll(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process leads no group, or has exited.
  }
  child?.kill('SIGKILL');
}

/** Returns null if the temporary directory is not writable; the browser may start anyway. */
function folderOrNull(): BrowserFolder | null {
  try {
    return new BrowserFolder();
  } catch {
    return null;
  }
}

const closedError = () => new ExtractError('platform_unavailable', 'The browser was closed.');

interface Running {
  readonly browser: Browser;
  readonly child: ChildProcess | undefined;
}

/**
 * The single browser of this process: started on first use, stopped after idle minutes, restarted after a crash. It is
 * driven over pipes and exits when they close, so it never outlives this process.
 */
export class BrowserProcess {
  readonly #program: BrowserProgram;
  readonly #clock: Clock;
  readonly #idleMs: number;
  #starting: Promise<Running> | undefined;
  /** The process of a starting browser. */
  #launching: ChildProcess | undefined;
  #users = 0;
  #stopIdle = () => {};
  #closed = false;

  constructor(program: BrowserProgram, clock: Clock, idleMs: number) {
    this.#program = program;
    this.#clock = clock;
    this.#idleMs = idleMs;
  }

  /** Returns the browser and holds it until `leave`. Throws `platform_unavailable` if it cannot be started. */
  async use(): Promise<Browser> {
    if (this.#closed) throw closedError();
    this.#stopIdle();
    this.#users += 1;
    try {
      this.#starting ??= this.#begin();
      const { browser, child } = await this.#starting;
      hold(child, true);
      return browser;
    } catch (cause) {
      this.leave();
      throw cause;
    }
  }

  /** Releases one user; after the last one the browser stays for a while. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    const starting = this.#starting;
    if (starting === undefined) return;
    starting.then(({ child }) => this.#users === 0 && hold(child, false)).catch(() => undefined);
    this.#stopIdle = this.#clock.alarm(this.#idleMs, () => void this.#end(starting), false);
  }

  /** Kills a browser that does not respond; the next user starts another. */
  async kill(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    const running = await starting?.catch(() => undefined);
    killAll(running?.child);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopIdle();
    // Waiting for a browser that does not start would be pointless.
    killAll(this.#launching);
    if (this.#starting !== undefined) await this.#end(this.#starting);
  }

  async #end(starting: Promise<Running>): Promise<void> {
    if (this.#starting === starting) this.#starting = undefined;
    const running = await starting.catch(() => undefined);
    if (running === undefined) return;
    const { browser, child } = running;
    hold(child, true);
    const timer = setTimeout(() => killAll(child), endMs);
    await browser.close().catch(() => undefined);
    clearTimeout(timer);
  }

  #begin(): Promise<Running> {
    const starting = this.#start();
    const forget = () => {
      if (this.#starting === starting) this.#starting = undefined;
    };
    starting.then(({ browser }) => browser.once('disconnected', forget), forget);
    return starting;
  }

  async #start(): Promise<Running> {
    const { path, sandbox } = this.#program;
    try {
      return await this.#launch(sandbox).catch((error: unknown) => {
        // If the system denies it a sandbox, the browser says so and exits.
        if (!sandbox || !(error instanceof Error) || !/sandbox/i.test(error.message)) throw error;
        return this.#launch(false);
      });
    } catch (cause) {
      throw cause instanceof ExtractError ? cause : startError(cause, path);
    }
  }

  async #launch(sandbox: boolean): Promise<Running> {
    const { path, headed, proxy, arguments: args } = this.#program;
    const commandArgs = await args();
    const { chromium } = await loadDriver();
    if (this.#closed) throw closedError();
    const folder = folderOrNull();
    const launch = () =>
      chromium.launch({
        ...(folder === null ? {} : { artifactsDir: folder.path }),
        executablePath: path,
        chromiumSandbox: sandbox,
        headless: !headed,
        args: commandArgs,
        // Blocks pop-up windows, as browsers do for visitors.
        ignoreDefaultArgs: ['--disable-popup-blocking'],
        timeout: startMs,
        // This program handles signals itself; the browser exits when its pipe closes.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        ...(proxy === null ? {} : { proxy }),
      });
    try {
      const [browser, child] = await withProcess(path, launch, (started) => {
        this.#launching = started;
        folder?.note(started.spawnargs);
      });
      // Only a started browser guards its profile.
      folder?.note(child?.spawnargs ?? []);
      browser.once('disconnected', () => folder?.remove());
      return { browser, child };
    } catch (cause) {
      folder?.remove();
      throw cause;
    } finally {
      this.#launching = undefined;
    }
  }
}

/** True for the error of a crashed browser, whatever operation reported it. */
export function isBrowserClosed(error: unknown): boolean {
  return (
    error instanceof BrowserClosed ||
    (error instanceof Error &&
      !(error instanceof ExtractError) &&
      /Target (page, context or browser has been closed|crashed|closed)|Browser (has been )?closed|has been closed|Page crashed|Protocol error .{0,200}(Target closed|Session closed)/.test(
        error.message,
      ))
  );
}

/** Starts a browser and stops it again. Throws `platform_unavailable` with the reason if it does not start. */
export async function tryBrowser(path: string, sandbox: boolean, clock: Clock): Promise<void> {
  const program = { path, sandbox, headed: false, proxy: null, arguments: async () => [] };
  const running = new BrowserProcess(program, clock, 0);
  try {
    await running.use();
    running.leave();
  } finally {
    await running.close();
  }
}
