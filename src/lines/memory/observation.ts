import type { Outcome } from '../../../lib/batch/outcome.js';
import { parseCallRequest } from '../../../lib/call/call-request.js';
import { bindingOf } from '../../../lib/call/cursor.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { contentKey } from '../../files/result-files/content-key.js';
import { itemKey } from '../../files/result-files/item-key.js';
import { inputParams, type OwnValues } from '../../files/result-files/result-file.js';
import { identifyingParams } from '../../output/plain-argument.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface ObservedItem {
  /** Identifies the item among all of its kind, independently of its page's current content. */
  readonly key: string;
  /** The platform's own ID, or the query if the page has none. */
  readonly id: string;
  /** Public URL at which a person sees it. */
  readonly url: string | null;
  /** Null if the answer says too little to be compared. */
  readonly fields: Fields | null;
  /** Position in the list, from 1. */
  readonly position: number;
  /** When its page was fetched; milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Keys under which earlier versions may have remembered it. */
  readonly earlierKeys?: readonly string[];
}

export interface Observation {
  readonly endpoint: string;
  /** Name of the object, such as `shortvideo_profile`. */
  readonly object: string;
  /** Digest of the query, independent of the page, the limit and how the call ran. */
  readonly question: string;
  /** The columns next to it in the user's file, if any. */
  readonly own?: OwnValues | undefined;
  /** The query for people: `nasa`, or `bakery country=DE`. */
  readonly label: string;
  readonly items: readonly ObservedItem[];
  /** When it was read; milliseconds since 1970. */
  readonly at: number;
  readonly pages: number;
  /** True for a list that was read from its beginning to the platform's own end. */
  readonly isWhole: boolean;
  /** True for an answer that may say less than another one: rounded counts, truncated texts. */
  readonly isBrief: boolean;
  /** True if it was fetched for an earlier call. */
  readonly isCached: boolean;
}

/** The part of an outcome that a history records. `sources` must have been requested. */
export interface ObservedOutcome extends Pick<Outcome, 'sources' | 'source' | 'calls'> {
  readonly json: string;
  readonly isWhole?: boolean | undefined;
  readonly isBrief?: boolean | undefined;
}

/** Neither database can store this character. */
const storable = (text: string) => text.replaceAll('\0', '');

/** Returns the label of a query: the text that identifies its subject, then the other parameters by name. */
function labelOf(endpoint: Endpoint, params: Fields): string {
  const identifying = identifyingParams(endpoint);
  const names = inputParams(endpoint).filter((name) => name !== 'limit' && params[name] != null);
  const isMain = (name: string) => identifying.includes(name);
  const others = names.filter((name) => !isMain(name)).map((name) => `${name}=${params[name]}`);
  return storable([...names.filter(isMain).map((name) => String(params[name])), ...others].join(' '));
}

/**
 * Returns the observation of an input's outcome. `now`: when it was read, if no item says so; milliseconds since 1970.
 * Throws the `invalid_request` errors for parameters that the endpoint does not accept.
 */
export function observationOf(
  endpoint: Endpoint,
  params: Fields,
  texts: boolean,
  outcome: ObservedOutcome,
  now: number,
): Observation {
  const request = parseCallRequest(endpoint, params, texts);
  const question = bindingOf({ request });
  // A sample item is never the platform's, even with the same ID.
  const kind = request.demo ? 'sample:' : '';
  const label = labelOf(endpoint, params);
  const data: unknown = JSON.parse(outcome.json);
  const sources = outcome.sources === undefined ? [] : (JSON.parse(outcome.sources) as ItemSource[]);
  const idField = itemKey(endpoint);
  const items = (endpoint.many ? (data as Fields[]) : [data as Fields]).map((fields, index): ObservedItem => {
    const source = sources[index];
    const idValue = idField === null ? undefined : fields[idField];
    const idText = typeof idValue === 'string' ? idValue : null;
    const id = endpoint.many ? (source?.id ?? idText) : (idText ?? source?.id ?? null);
    // A profile's page may have its number one day and its handle the next; the query stays the same.
    const key = endpoint.many ? `${kind}${id ?? contentKey(fields)}` : question;
    return {
      key: storable(key),
      id: storable(id ?? (endpoint.many ? contentKey(fields) : label)),
      url: source?.url == null ? null : storable(source.url),
      fields,
      position: source?.position ?? index + 1,
      fetchedAt: source === undefined ? now : Date.parse(source.fetched_at),
    };
  });
  return {
    endpoint: endpoint.path,
    object: endpoint.returns.meta()?.id ?? endpoint.path,
    question,
    label: request.demo ? `${label} (sample data)` : label,
    items,
    at: items.reduce((latest, { fetchedAt }) => Math.max(latest, fetchedAt), items.length === 0 ? now : 0),
    pages: outcome.calls,
    isWhole: endpoint.many && outcome.isWhole === true && request.cursor === null,
    isBrief: outcome.isBrief === true,
    isCached: outcome.source === 'cache',
  };
}
