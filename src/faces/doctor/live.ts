import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { version } from '../../../lib/runtime/version.js';
import { openServices } from '../../../lib/services.js';
import { openFault } from '../../files/batch-files/output-fault.js';
import type { CanaryResult, RouteResult } from '../../service/health/canary.js';
import { canarySet, type ResolvedCanary } from '../../service/health/canary-set.js';
import { runCanaries } from '../../service/health/run-canaries.js';

export interface LiveOptions {
  readonly config: Config;
  /** All endpoints, which a canary file may refer to. */
  readonly endpoints: readonly Endpoint[];
  /** The endpoints to check. */
  readonly selected: readonly Endpoint[];
  /** Canary file instead of the default one. */
  readonly canaries: string | undefined;
  /** Folder for the pages and the table. */
  readonly save: string | undefined;
  readonly signal: CallSignal;
  /** Called for each route, once all routes of its endpoint are checked. */
  readonly onRow: (row: RouteRow) => void;
}

export interface RouteRow extends RouteResult {
  readonly endpoint: string;
}

interface LiveReport {
  readonly rows: readonly RouteRow[];
  readonly outcomes: readonly CanaryResult['outcome'][];
}

const rowsOf = ({ endpoint }: ResolvedCanary, { routes = [] }: CanaryResult): readonly RouteRow[] =>
  routes.map((route) => ({ endpoint: endpoint.path, ...route }));

const tableName = 'table.json';

/** Requests each route of the endpoints from this machine, at the platforms' pace, without charging. */
export async function runLive(options: LiveOptions): Promise<LiveReport> {
  const { config, endpoints, selected, canaries, save, signal, onRow } = options;
  const canariesToRun = (await canarySet(canaries, endpoints)).filter(({ endpoint }) =>
    selected.includes(endpoint),
  );
  const saving = async (folder: string, work: () => Promise<unknown>) =>
    work().catch((cause: unknown) => {
      throw openFault(folder, cause);
    });
  if (save !== undefined) await saving(save, () => mkdir(save, { recursive: true }));
  const services = openServices(config);
  try {
    const at = new Date(services.clock.now()).toISOString();
    const results = await runCanaries(canariesToRun, {
      ...{ services, savePages: save, signal },
      onResult: (placed, result) => rowsOf(placed, result).forEach(onRow),
    });
    const rows = results.flatMap(({ placed, result }) => rowsOf(placed, result));
    if (save !== undefined) {
      const { userAgent } = config;
      const table = { at, version, node: process.version, system: process.platform, userAgent, rows };
      const file = path.join(save, tableName);
      await saving(file, () => writeFile(file, `${JSON.stringify(table, null, 2)}\n`));
    }
    return { rows, outcomes: results.map(({ result }) => result.outcome) };
  } finally {
    await services.close();
  }
}
