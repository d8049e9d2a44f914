import { at, parseJson, scriptById, scriptBytesById } from '../../read/json.js';
import { objectOfKey } from '../../read/json-cut.js';
import type { Page } from '../../web/page-source.js';
import { refuse, refuseWithoutData, refuseWithoutScope } from './outcome.js';

const script = '__UNIVERSAL_DATA_FOR_REHYDRATION__';

/**
 * The scope cut out of the page's bytes. Of a real page of 500 KB the data script is half and the wanted scope 3-25 KB.
 * Most of the rest is translations of the interface (2025-12), which are neither decoded nor parsed.
 */
function cutScope(page: Page, name: string): unknown {
  if (/charset=(?!"?utf-?8)/i.test(page.headers['content-type'] ?? '')) return undefined;
  const json = scriptBytesById(page.body, script);
  return json === null ? undefined : objectOfKey(json, name);
}

/**
 * Scopes that hold settings, translations and parts of the interface, and never a subject (2025-12 to 2026-01). Those
 * of the page for mobile clients are included. A shell holds nothing else.
 */
const interfaceScopes =
  /^(?:webapp\.(?:app-context|biz-context|i18n-translation|a-b|sharing\.\w+|smartui\.\w+|reflow\.global\.\w[\w.]*|reflow\.video\.(?:uiStrategy|strategy|operationSettings))|seo\.abtest|numberformatter\.config|TEMP_\w+)$/;

/**
 * The data scope of a page: what its rehydration script holds under one of `names`, the likelier first (since 2023-10).
 * A page without the script is a refusal. One with the script and without any scope of a subject is what the platform
 * serves when it throttles softly. A scope of another name is a layout that is not known.
 */
export function scopeOf(page: Page, ...names: readonly string[]): unknown {
  refuse(page);
  for (const name of names) {
    const cut = cutScope(page, name);
    if (cut !== undefined) return cut;
  }
  const json = scriptById(page.text(), script);
  if (json === null) refuseWithoutData(page);
  const scopes = at(parseJson(json, 'The data script of the page'), '__DEFAULT_SCOPE__');
  for (const name of names) {
    const scope = at(scopes, name);
    if (scope !== undefined && scope !== null) return scope;
  }
  const unknown = Object.keys(scopes ?? {}).filter(
    (name) => !names.includes(name) && !interfaceScopes.test(name),
  );
  refuseWithoutScope(unknown);
}
