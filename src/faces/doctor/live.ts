import { mkdir } from 'node:fs/promises';
import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { openServices } from '../../../lib/services.js';
import { openFault } from '../../files/batch-files/output-fault.js';
import type { CanaryResult } from '../../service/health/canary.js';
import { canarySet } from '../../service/health/canary-set.js';
import { runCanaries } from '../../service/health/run-canaries.js';

export interface LiveOptions {
  readonly config: Config;
  /** The whole table, which a file of canaries may name. */
  readonly endpoints: readonly Endpoint[];
  /** The endpoints that are asked. */
  readonly asked: readonly Endpoint[];
  /** File of canaries in place of the default ones. */
  readonly canaries: string | undefined;
  readonly keepPages: string | undefined;
  readonly signal: CallSignal;
  /** Runs after each canary. */
  readonly onResult: (endpoint: Endpoint, result: CanaryResult) => void;
}

/** Asks the canaries of some endpoints from here, at the platforms' pace, charged to nobody. */
export async function runLive(options: LiveOptions): Promise<readonly CanaryRow[]> {
  const { config, endpoints, asked, canaries, keepPages, signal, onResult } = options;
  const chosen = (await canarySet(canaries, endpoints)).filter(({ endpoint }) => asked.includes(endpoint));
  if (keepPages !== undefined) {
    await mkdir(keepPages, { recursive: true }).catch((cause: unknown) => {
      throw openFault(keepPages, cause);
    });
  }
  const services = openServices(config);
  try {
    const results = await runCanaries(chosen, {
      services,
      keepPages,
      signal,
      onResult: ({ endpoint }, result) => onResult(endpoint, result),
    });
    return results.map(({ placed, result }) => rowOf(placed.endpoint, result));
  } finally {
    await services.close();
  }
}

/** A canary as a row of the table. */
export interface CanaryRow {
  readonly endpoint: string;
  readonly outcome: CanaryResult['outcome'];
  readonly filled: number;
  readonly fields: number;
  readonly source: string;
  readonly seconds: number;
  readonly code: string | null;
  readonly problems: readonly string[];
}

/** The same as a row of the table. */
function rowOf({ path: endpoint }: Endpoint, result: CanaryResult): CanaryRow {
  const { outcome, filled, fields, source, seconds, code, problems } = result;
  return { endpoint, outcome, filled, fields, source, seconds, code, problems };
}
