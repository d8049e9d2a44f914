import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import type { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import type { Change, HistoryReader, Series } from '../../lines/memory/history.js';
import type { Fields } from '../../lines/memory/observation.js';
import { identifyingParams } from '../../output/plain-argument.js';
import { inputParams } from '../result-files/result-file.js';

type IdentifiedChange = Pick<Change, 'endpoint' | 'subject' | 'id' | 'url' | 'item'>;

/** True if a call with this text as its identifier requests a suppressed subject. */
function isSuppressedCall(suppressed: SuppressedSubjects, endpoint: Endpoint, text: string): boolean {
  return identifyingParams(endpoint).some((name) => suppressed.isSubjectOf(endpoint, { [name]: text }));
}

/** Returns the part of a label that identifies its subject; other parameters follow it by name. */
function identifyingText(endpoint: Endpoint, label: string): string {
  const ends = inputParams(endpoint).flatMap((name) => {
    const at = label.indexOf(` ${name}=`);
    return at < 0 ? [] : [at];
  });
  return label.slice(0, Math.min(label.length, ...ends));
}

/**
 * Returns a history without suppressed subjects: neither queries about them, nor their items. Pages may be shorter.
 * List sizes are unchanged.
 */
export function withoutSuppressed(reader: HistoryReader, suppressed: SuppressedSubjects): HistoryReader {
  const labels = new Map<string, boolean>();
  const endpointOf = (path: string) => endpoints.find((one) => one.path === path);

  function isSubject(path: string, label: string): boolean {
    const endpoint = endpointOf(path);
    if (endpoint === undefined) return false;
    const key = `${path} ${label}`;
    const isSuppressed =
      labels.get(key) ?? isSuppressedCall(suppressed, endpoint, identifyingText(endpoint, label));
    labels.set(key, isSuppressed);
    return isSuppressed;
  }

  function isNamed(
    { endpoint: path, subject, id, url, item = {} }: IdentifiedChange,
    earlier: Fields = {},
  ): boolean {
    const endpoint = endpointOf(path);
    if (endpoint === undefined) return false;
    const source = { id, url, author: null };
    return (
      isSubject(path, subject) ||
      suppressed.names(endpoint, item, source) ||
      suppressed.names(endpoint, earlier, undefined)
    );
  }

  const withoutItem = <T extends IdentifiedChange>({ item: _, ...rest }: T) => rest;
  return {
    async changes(query = {}) {
      const { changes, next } = await reader.changes({ ...query, items: true });
      const remaining = changes.filter((change) => {
        const { field, before } = change;
        return !isNamed(change, field === null ? {} : { [field]: before });
      });
      return { changes: query.items === true ? remaining : remaining.map(withoutItem), next };
    },
    async series(query = {}) {
      const all = await reader.series({ ...query, items: true });
      const remaining = all.filter((one) => !isNamed(one));
      return query.items === true ? remaining : remaining.map((one): Series => withoutItem(one));
    },
    async sizes(query) {
      const all = await reader.sizes(query);
      return all.filter(({ endpoint, subject }) => !isSubject(endpoint, subject));
    },
    async subjects() {
      const all = await reader.subjects();
      return all.filter(({ endpoint, label }) => !isSubject(endpoint, label));
    },
    origin: () => reader.origin(),
  };
}
