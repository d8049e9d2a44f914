import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { InputResult, LineFormat } from '../batch-files/line-format.js';
import type { Pseudonyms } from './pseudonyms.js';

/** The parts of a result that are JSON text. */
function parsedParts(
  { many }: Endpoint,
  { json, sources }: { json: string | null; sources?: string | undefined },
) {
  const data: unknown = json === null ? null : JSON.parse(json);
  return {
    items: many ? ((data ?? []) as readonly unknown[]) : [data],
    sources: sources === undefined ? undefined : (JSON.parse(sources) as readonly unknown[]),
  };
}

/** The same parts as JSON text. */
const textParts = (
  { many }: Endpoint,
  {
    items,
    sources,
  }: { readonly items: readonly unknown[]; readonly sources?: readonly unknown[] | undefined },
) => ({
  json: JSON.stringify(many ? items : items[0]),
  sources: sources === undefined ? undefined : JSON.stringify(sources),
});

/** An answer with pseudonyms in place of names. */
export function pseudonymisedAnswer(pseudonyms: Pseudonyms, endpoint: Endpoint, answer: Answer): Answer {
  return { ...answer, ...textParts(endpoint, pseudonyms.result(endpoint, parsedParts(endpoint, answer))) };
}

/** A result of a batch with pseudonyms in place of names, as it is written or told. */
export function pseudonymisedResult(
  pseudonyms: Pseudonyms,
  endpoint: Endpoint,
  result: InputResult,
): InputResult {
  const { item, json, error, changed } = result;
  const named = pseudonyms.result(endpoint, {
    ...parsedParts(endpoint, result),
    input: JSON.parse(item.echo) as unknown,
    params: item.params ?? undefined,
    own: item.own,
    error: error?.message,
    changed: changed === undefined ? undefined : (JSON.parse(changed) as unknown),
  });
  return {
    ...result,
    ...(json === null ? {} : textParts(endpoint, named)),
    item: {
      ...item,
      echo: JSON.stringify(named.input),
      params: item.params === null ? null : (named.params as typeof item.params),
      own: named.own as typeof item.own,
    },
    error: error === null ? null : error.withMessage(String(named.error)),
    changed: changed === undefined ? undefined : JSON.stringify(named.changed),
  };
}

/** Lines with pseudonyms in place of names. */
export function pseudonymisedFormat(
  pseudonyms: Pseudonyms,
  endpoint: Endpoint,
  format: LineFormat,
): LineFormat {
  return {
    ...format,
    lines: (result) => format.lines(pseudonymisedResult(pseudonyms, endpoint, result)),
  };
}
