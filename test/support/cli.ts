import { Readable } from 'node:stream';
import type { Config } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import type { ProgramSettings } from '../../src/config/program-config.js';
import type { CommandExtractor, Context, OutputStream } from '../../src/faces/cli/context.js';
import { run } from '../../src/faces/cli/run.js';
import { temporaryFolder } from './temporary-folder.js';

export { argv } from './argv.js';
export { assertExit } from './assert-exit.js';

/** What a test changes in a command's environment. The defaults are a pipe, the table format and an empty home. */
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
  /** Settings with which an extractor was opened; undefined when none was. */
  readonly opened: Partial<Config> | undefined;
  readonly closed: boolean;
}

const home = temporaryFolder();

/** A data directory for the tests of one process, gone at their end. */
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
    async openExtractor(config, onWarning, archive) {
      opened = config;
      const options = { onWarning, archive };
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
