import { setImmediate } from 'node:timers/promises';
import { createExtractor } from '../../../lib/extractor.js';
import type { Context } from '../../../src/faces/cli/context.js';
import { run } from '../../../src/faces/cli/run.js';
import { aHarbour, harbourMeta, inventedRows } from '../../support/invented-rows.js';

/** Runs the CLI on harbours that have this round's berths, in a process that can be killed. */
interface HistoryPlan {
  readonly home: string;
  readonly round: number;
  readonly args: readonly string[];
}

const { home, round, args } = JSON.parse(process.argv[2] ?? '') as HistoryPlan;
const silent = { isTTY: false, columns: undefined, write: async () => undefined };

const context: Context = {
  endpoints: inventedRows,
  stdin: () => {
    throw new Error('No input is read from here.');
  },
  askSecret: async () => '',
  stdout: silent,
  stderr: silent,
  settings: {
    color: false,
    movesCursor: true,
    debug: false,
    updateNotice: false,
    docsUrl: 'https://docs.example',
    extraCaCerts: undefined,
  },
  signal: new AbortController().signal,
  openExtractor: async (config) => ({
    ...createExtractor({ ...config, home }),
    async answer(_, params) {
      await setImmediate();
      const fetched_at = new Date(Date.UTC(2026, 0, 1 + round)).toISOString();
      const id = String(params.id);
      const source = { id, url: null, author: null, position: 1, fetched_at };
      return {
        source: 'platform',
        json: JSON.stringify(aHarbour({ name: id, berths: round })),
        sources: JSON.stringify([source]),
        meta: { ...harbourMeta, fetched_at },
      };
    },
  }),
};

process.exitCode = await run(args, context);
