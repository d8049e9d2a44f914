import { at, parseJson, scriptById, scriptBytesById } from '../../read/json.js';
import { objectOfKey } from '../../read/json-cut.js';
import type { Page } from '../../web/page-source.js';
import { refuse, refuseWithoutData, refuseWithoutScope } from './outcome.js';

const script = '__UNIVERSAL_DATA_FOR_REHYDRATION__';

/**
 * The scope cut out of the page's bytes. Of a real page of 500 KB the data script is half and the wanted
 * scope 3-25 KB, most of the rest being translations of the interface (2025-12): neither is decoded or parsed.
 */
function cutScope(page: Page, name: string): unknown {
  if (/charset=(?!"?utf-?8)/i.test(page.headers['content-type'] ?? '')) return undefined;
  const json = scriptBytesById(page.body, script);
  return json === null ? undefined : objectOfKey(json, name);
}

/**
 * The data scope of a page: what stands in its rehydration script under `webapp.<name>` (since 2023-10).
 * A page without the script is refused or changed; one with the script and without the scope is what the
 * platform serves when it throttles softly.
 */
export function scopeOf(page: Page, name: string): unknown {
  refuse(page);
  const cut = cutScope(page, name);
  if (cut !== undefined) return cut;
  const json = scriptById(page.text(), script);
  if (json === null) refuseWithoutData(page);
  const scope = at(parseJson(json, 'The data script of the page'), '__DEFAULT_SCOPE__', name);
  return scope ?? refuseWithoutScope();
}
