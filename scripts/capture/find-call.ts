import type { Endpoint } from '../../lib/endpoint.js';
import { nextOf } from '../../lib/errors/extract-error.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { type Exchange, type Outcome, recording, runCall } from './exchanges.js';

type Params = Readonly<Record<string, unknown>>;

/** A call that saved pages answer. */
export interface FoundCall {
  readonly endpoint: Endpoint;
  readonly params: Params;
  /** Maximum number of pages read. */
  readonly maxPages: number;
  readonly exchanges: readonly Exchange[];
  readonly outcome: Outcome;
}

/** Repeats a call over saved pages, and records its requests. Throws if the pages do not answer it. */
export async function findCall(
  pages: PageSource,
  endpoint: Endpoint,
  params: Params,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<FoundCall> {
  const exchanges: Exchange[] = [];
  const outcome = await runCall(endpoint, params, recording(pages, exchanges), maxPages);
  if (outcome.isStarved) throw new Error(`${outcome.error?.message} Are these the parameters of the call?`);
  if (outcome.error?.code === 'platform_changed') {
    throw new Error(
      `These pages fail with platform_changed: mend the reader first. ${outcome.error.message.replace(nextOf({ code: 'platform_changed' }), '').trimEnd()}`,
    );
  }
  return { endpoint, params, maxPages, exchanges, outcome };
}
