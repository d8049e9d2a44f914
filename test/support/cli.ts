import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Config } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import type { ProgramSettings } from '../../src/config/program-config.js';
import type { CommandExtractor, Context, OutputStream } from '../../src/faces/cli/context.js';
import { Interruption } from '../../src/faces/cli/exit-status-error.js';
import { run } from '../../src/faces/cli/run.js';
import { assertExit } from './assert-exit.js';
import { temporaryFolder } from './temporary-folder.js';

export { argv } from './argv.js';
export { assertExit } from './assert-exit.js';

/** A test's changes to a command's environment. The defaults are a pipe, the table format and an empty home. */
export interface Surroundings {
  readonly stdoutColumns?: number;
  readonly stderrIsTTY?: boolean;
  readonly settings?: Partial<ProgramSettings>;
  readonly endpoints?: readonly Endpoint[];
  readonly signal?: AbortSignal;
  readonly extractor?: Partial<CommandExtractor>;
  /** Settings of its extractor that override the command's. */
  readonly config?: Partial<Config>;
  readonly stdin?: string;
  /** Receives everything written to stderr. */
  readonly onErr?: (text: string) => void;
  /** Replaces the sink that collects stdout. */
  readonly write?: (text: string) => Promise<void>;
}

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** The settings of the extractor; undefined if none was opened. */
  readonly opened: Partial<Config> | undefined;
  readonly closed: boolean;
}

const home = temporaryFolder();

/** A data directory for the tests of one process, deleted after them. */
export const testHome = (): string => home;

/** Runs a command line in this process. */
export async function extract(args: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const output = { out: '', err: '' };
  const sink = (name: 'out' | 'err', isTTY: boolean, columns: number | undefined): OutputStream => ({
    isTTY,
    columns,
    async write(text) {
      if (name === 'out' && surroundings.write !== undefined) await surroundings.write(text);
      output[name] += text;
      if (name === 'err') surroundings.onErr?.(text);
    },
  });
  let opened: Partial<Config> | undefined;
  let closed = false;
  const context: Context = {
    endpoints: surroundings.endpoints ?? endpoints,
    stdin: () => ({
      chunks: Readable.from([Buffer.from(surroundings.stdin ?? '')]),
      size: undefined,
      async close() {},
    }),
    askSecret: async () => (surroundings.stdin ?? '').split('\n', 1)[0] ?? '',
    stdout: sink('out', surroundings.stdoutColumns !== undefined, surroundings.stdoutColumns),
    stderr: sink('err', surroundings.stderrIsTTY ?? false, undefined),
    settings: {
      color: true,
      movesCursor: true,
      debug: false,
      updateNotice: false,
      docsUrl: 'https://docs.example',
      extraCaCerts: undefined,
      ...surroundings.settings,
    },
    signal: surroundings.signal ?? new AbortController().signal,
    async openExtractor(config, onWarning, evidence) {
      opened = config;
      const options = { onWarning, evidence };
      const extractor = {
        ...createExtractor({ ...config, home, ...surroundings.config }, options),
        ...surroundings.extractor,
      };
      return {
        ...extractor,
        async close() {
          closed = true;
          await extractor.close();
        },
      };
    },
  };
  const status = await run(args, context);
  return { status, ...output, opened, closed };
}

/** Runs a command that succeeds, and returns the data of its envelope. */
export async function dataOf(args: readonly string[], surroundings?: Surroundings) {
  return JSON.parse(assertExit(await extract([...args, '--json'], surroundings), 0).out).data;
}

/** Runs a command that must fail with a status and print nothing, and returns its error. */
export async function errorOf(args: readonly string[], status: number, surroundings?: Surroundings) {
  const { out, err } = assertExit(await extract(args, surroundings), status);
  assert.equal(out, '');
  return JSON.parse(err).error;
}

/** Interrupts a command at one of its calls, as Ctrl-C does. */
export function interruptedAt(call: number, extractor: Pick<CommandExtractor, 'answer'>) {
  const ending = new AbortController();
  let calls = 0;
  const interrupted: typeof extractor = {
    answer(...asked) {
      calls += 1;
      if (calls === call) ending.abort(new Interruption('SIGINT'));
      return extractor.answer(...asked);
    },
  };
  return { signal: ending.signal, extractor: interrupted };
}
