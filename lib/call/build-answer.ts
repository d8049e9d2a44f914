import type { CachedAnswer } from '../cache/cache.js';
import { sourceTexts } from '../read/item-source.js';
import type { CallRequest } from './call-request.js';
import { type ListPosition, returnedBefore } from './cursor.js';
import type { Answer, AnswerSource } from './envelope.js';

interface AnsweredCall {
  readonly request: CallRequest;
  readonly position: ListPosition;
  readonly caller: { readonly requestId: string };
}

interface AnswerTerms {
  readonly source: AnswerSource;
  readonly charged: number;
  readonly nextCursor: string | null;
  readonly balance: number;
  readonly browsed?: boolean;
  readonly records?: readonly string[] | undefined;
}

/** Builds the answer of a call from what was read or cached. */
export function buildAnswer(
  { request, position, caller }: AnsweredCall,
  { data, fetchedAt, prints, sources, places, brief, coverage }: CachedAnswer,
  terms: AnswerTerms,
): Answer {
  const before = returnedBefore(position);
  const itemCount = request.endpoint.many ? before + prints.length : 1;
  return {
    source: terms.source,
    ...(terms.browsed === true ? { browsed: true } : {}),
    json: data,
    prints: places === undefined ? prints : places.flatMap((index) => prints[index] ?? []),
    ...(places === undefined ? {} : { leavesOut: true }),
    ...(brief === true ? { brief } : {}),
    ...(coverage === undefined ? {} : { coverage: { given: itemCount, ...coverage } }),
    ...(terms.records === undefined ? {} : { records: terms.records }),
    ...(request.sources
      ? sourceTexts(sources ?? '[]', before, fetchedAt, { records: terms.records, places })
      : {}),
    meta: {
      request_id: caller.requestId,
      credits_charged: terms.charged,
      credits_remaining: terms.balance,
      cached: terms.source === 'cache',
      fetched_at: fetchedAt,
      next_cursor: terms.nextCursor,
    },
  };
}
