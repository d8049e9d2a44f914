import { refusal } from '../../errors/outcomes.js';
import { at, isRecord, parseJson, scriptById, scriptBytesById } from '../../read/json.js';
import { objectOfKey } from '../../read/json-cut.js';
import type { Page } from '../../web/page-source.js';
import { apiDataOf } from './api-data.js';
import { refuse, refuseWithoutData, refuseWithoutScope } from './outcome.js';

const script = '__UNIVERSAL_DATA_FOR_REHYDRATION__';

/**
 * Cuts the scope out of the page's bytes. The data script is half of a real page of 500 KB, and the wanted scope is
 * 3-25 KB. Most of the rest is translations of the interface (2025-12), which are neither decoded nor parsed.
 */
function cutScope(page: Page, name: string): unknown {
  if (/charset=(?!"?utf-?8)/i.test(page.headers['content-type'] ?? '')) return undefined;
  const json = scriptBytesById(page.body, script);
  return json === null ? undefined : objectOfKey(json, name);
}

/**
 * Scopes with settings, translations and parts of the interface, never a subject (2025-12 to 2026-01), including those
 * on pages for mobile clients. A shell has nothing else.
 */
const interfaceScopes =
  /^(?:webapp\.(?:app-context|biz-context|i18n-translation|a-b|sharing\.\w+|smartui\.\w+|reflow\.global\.\w[\w.]*|reflow\.video\.(?:uiStrategy|strategy|operationSettings))|seo\.abtest|numberformatter\.config|TEMP_\w+)$/;

export interface ScopeNames {
  /** Scopes of the rehydration script, likeliest first. */
  readonly scopes: readonly string[];
  /** The key in the script `api-data`, which some mobile pages have instead. */
  readonly apiData: string;
}

/**
 * Returns the data scope of a page: from its rehydration script under one of the names (since 2023-10), or from the
 * script `api-data`. A page without both scripts is a refusal. One with a script but no subject's scope is what the
 * platform serves when it throttles softly. A scope of another name is an unknown layout.
 */
export function scopeOf(page: Page, { scopes: names, apiData: key }: ScopeNames): unknown {
  refuse(page);
  for (const name of names) {
    const cut = cutScope(page, name);
    if (cut !== undefined) return cut;
  }
  const json = scriptById(page.text(), script);
  const content = json === null ? null : parseJson(json, 'The data script of the page');
  if (json !== null && !isRecord(content)) {
    throw refusal('unknown_layout', 'The data script of the page has an unknown form.');
  }
  const scopes = at(content, '__DEFAULT_SCOPE__');
  const apiData = apiDataOf(page);
  for (const [holder, name] of [...names.map((name) => [scopes, name] as const), [apiData, key] as const]) {
    const scope = at(holder, name);
    if (scope !== undefined && scope !== null) return scope;
  }
  if (json === null && apiData === undefined) refuseWithoutData(page);
  const unknown = Object.keys(scopes ?? {}).filter(
    (name) => !names.includes(name) && !interfaceScopes.test(name),
  );
  refuseWithoutScope([...unknown, ...Object.keys(apiData ?? {}).map((name) => `api-data.${name}`)]);
}
