import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { call, type Services } from '../../../lib/call/call.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { seenLine } from '../../../lib/errors/seen.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { outcomeOf } from './call-outcome.js';
import { type CanaryResult, examine } from './canary.js';
import { type CanaryServices, canaryServices } from './canary-services.js';
import type { PlacedCanary } from './canary-set.js';

export interface CanaryRunOptions {
  readonly services: Services;
  /** Folder in which the pages of each failed canary are kept, in a folder of its endpoint's name. */
  readonly keepPages?: string | undefined;
  readonly signal?: CallSignal | undefined;
  /** Runs after each canary. */
  readonly onResult?: (placed: PlacedCanary, result: CanaryResult) => void;
}

const account = 'canary';

function resultOfError(error: unknown): Pick<CanaryResult, 'outcome' | 'code' | 'problems'> {
  const named = error instanceof ExtractError ? error : new ExtractError('internal_error', String(error));
  const outcome = outcomeOf(named);
  return {
    outcome: outcome === null || outcome === 'answered' ? 'failed' : outcome,
    code: named.code,
    problems: named.seen.length === 0 ? [named.message] : [named.message, `Seen: ${seenLine(named.seen)}`],
  };
}

/** Asks one canary. Never throws, unless it is given up. */
async function ask(
  { canary, endpoint }: PlacedCanary,
  { services, takeSource }: CanaryServices,
  signal: CallSignal | undefined,
): Promise<CanaryResult> {
  const { clock } = services;
  const at = clock.now();
  takeSource();
  const seconds = () => Math.round((clock.now() - at) / 10) / 100;
  try {
    const caller = { requestId: newRequestId(), account };
    const { json } = await call(endpoint, canary.params, services, caller, { signal });
    const found = examine(canary, endpoint, JSON.parse(json));
    const outcome = found.problems.length === 0 ? 'ok' : 'incomplete';
    return { at, outcome, code: null, ...found, source: takeSource(), seconds: seconds() };
  } catch (error) {
    signal?.throwIfAborted();
    const source = takeSource();
    return { at, ...resultOfError(error), filled: 0, fields: 0, source, seconds: seconds() };
  }
}

/** Asks one canary with its pages kept where it fails. */
async function askKeeping(
  placed: PlacedCanary,
  { services, signal }: CanaryRunOptions,
  folder: string,
): Promise<CanaryResult> {
  const { savePages } = await import('../../../lib/web/save-pages.js');
  const name = placed.endpoint.path.replace('/', '-');
  const draft = await mkdtemp(path.join(folder, `.${name}-`));
  try {
    const pages: PageSource = savePages(await services.pages(), draft);
    const result = await ask(
      placed,
      canaryServices(services, async () => pages),
      signal,
    );
    if (result.outcome !== 'ok') {
      const savedFolder = path.join(folder, name);
      await rm(savedFolder, { recursive: true, force: true });
      await rename(draft, savedFolder);
    }
    return result;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Asks canaries: those of a platform one after the other, platforms side by side, at the platforms' pace. Each ends in
 * a result; rejects only with the signal's reason, and where pages cannot be kept.
 */
export async function runCanaries(
  canaries: readonly PlacedCanary[],
  options: CanaryRunOptions,
): Promise<readonly { readonly placed: PlacedCanary; readonly result: CanaryResult }[]> {
  const { services, keepPages, signal, onResult } = options;
  const results = new Map<PlacedCanary, CanaryResult>();
  const runPlatform = async (platform: string) => {
    const own = canaryServices(services, () => services.pages());
    for (const placed of canaries.filter(({ endpoint }) => endpoint.platform === platform)) {
      signal?.throwIfAborted();
      const result =
        keepPages === undefined
          ? await ask(placed, own, signal)
          : await askKeeping(placed, options, keepPages);
      results.set(placed, result);
      onResult?.(placed, result);
    }
  };
  await Promise.all([...new Set(canaries.map(({ endpoint }) => endpoint.platform))].map(runPlatform));
  return canaries.flatMap((placed) => {
    const result = results.get(placed);
    return result === undefined ? [] : [{ placed, result }];
  });
}
