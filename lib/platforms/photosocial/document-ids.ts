import { at, type Json } from '../../read/json.js';
import { objectFrom, objectsOfKey } from '../../read/json-cut.js';

interface NamedDocument {
  readonly id: string;
  readonly variables: Readonly<Record<string, Json>>;
}

/**
 * Returns the document with a name that a page requests: `adp_<Name>RelayPreloader_…","queryID":"…"` (2026-01 to
 * 2026-10). Null if it does not. Sends no request.
 */
export function documentIn(html: Buffer, name: string): NamedDocument | null {
  const mark = `"adp_${name}RelayPreloader_`;
  for (let index = html.indexOf(mark); index >= 0; index = html.indexOf(mark, index + mark.length)) {
    const facts = html.toString('latin1', index, index + 300);
    const id = /^"adp_\w+","queryID":"(\d{5,30})"/.exec(facts)?.[1];
    if (id === undefined) continue;
    const variables = html.indexOf('"variables":', index);
    const documentVariables =
      variables < 0 || variables > index + 300 ? undefined : objectFrom(html, variables + 12);
    return {
      id,
      variables:
        documentVariables !== null && typeof documentVariables === 'object'
          ? (documentVariables as NamedDocument['variables'])
          : {},
    };
  }
  return null;
}

/** The page component that defines each document's query. */
const components = [
  [/ProfilePostsTab/, 'PolarisLoggedOutDesktopWWWProfilePostsTabRoot.react'],
  [/ProfileRoot/, 'PolarisLoggedOutDesktopWWWProfileRoot.react'],
  [/Post(?:Root|Comments)/, 'PolarisLoggedOutDesktopWWWPostRoot.react'],
] as const;

/** Maximum scripts fetched per component, of the 500 that a page lists. */
const mostScripts = 3;

/**
 * Yields the entries of a page's script maps: `"compMap":{"Name.react":{"r":["key"]}}`,
 * `"rsrcMap":{"key":{"type":"js","src":"…"}}`.
 */
function mapsIn(html: Buffer, name: 'compMap' | 'rsrcMap'): [string, unknown][] {
  return [...objectsOfKey(html, name)].flatMap((map) => Object.entries(map ?? {}));
}

const scriptHost = 'static.cdninstagram.com';

/**
 * Returns the addresses of the scripts that the page's own map lists for the component of a document: those shared with
 * the fewest other components, three at most (2026-01 to 2026-08: one or two contain its documents).
 */
export function scriptsFor(html: Buffer, name: string): string[] {
  const component = components.find(([pattern]) => pattern.test(name))?.[1];
  const uses = new Map<string, number>();
  let names: readonly string[] = [];
  for (const [key, value] of mapsIn(html, 'compMap')) {
    const keys = (at(value, 'r') ?? []) as readonly string[];
    if (key === component) names = keys;
    for (const one of keys) uses.set(one, (uses.get(one) ?? 0) + 1);
  }
  const resources = new Map(mapsIn(html, 'rsrcMap'));
  return names
    .toSorted((one, other) => (uses.get(one) ?? 0) - (uses.get(other) ?? 0))
    .flatMap((key) => {
      const resource = resources.get(key);
      const address = URL.parse(String(at(resource, 'src')));
      return at(resource, 'type') === 'js' && address?.hostname === scriptHost ? [address.href] : [];
    })
    .slice(0, mostScripts);
}

/** How scripts define the ID of a document: `__d("Name_instagramRelayOperation",[],(function(…){x.exports="123"}))`. */
const definition =
  /__d\("(\w+)_instagramRelayOperation",\[\],\(?function\([\w,$ ]*\)\{[\w$]+\.exports="(\d{5,30})"/g;

export const idsOfScript = (script: string): ReadonlyMap<string, string> =>
  new Map([...script.matchAll(definition)].map(([, name = '', id = '']) => [name, id]));
