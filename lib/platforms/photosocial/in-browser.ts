import type { Json } from '../../read/json.js';
import type { Gestures, InBrowser } from '../../web/page-source.js';
import type { Document, DocumentName } from './documents.js';

/** Data blocks of the pages that people open (2024-2026); embed pages and responses have none. */
const dataBlocks = ['"xig_', '"xdt_api__', 'window._sharedData'];

/** Returns how a browser opens a page. Pages for people contain data that their scripts may have to load. */
export function openedPage(url: string): InBrowser {
  return { holds: /\/(?:embed|share|api)\//.test(new URL(url).pathname) ? [] : dataBlocks };
}

/** The actions of a visitor that make a page request a document. Pages request all others when they open. */
const gestures: Readonly<Partial<Record<DocumentName, Gestures>>> = {
  postsNext: { scroll: 'page' },
  fullPostsNext: { scroll: 'page' },
  comments: {
    scroll: 'page',
    press: ':is(button, [role="button"]):has(svg[aria-label*="more comments" i])',
  },
  hashtag: { scroll: 'page' },
};

/** Returns how to recognise a page's request for a document: by its name, because its ID changes every few weeks. */
export function requestedDocument(
  name: DocumentName,
  document: Document,
  { after = null, ...values }: Readonly<Record<string, Json>>,
  page: string,
): InBrowser {
  const template = JSON.stringify(document.variables);
  const ids = Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'string' && template.includes(`"$${key}"`) ? [value] : [],
  );
  return {
    holds: dataBlocks,
    pageRequest: {
      page,
      paths: ['/api/graphql', '/graphql/query'],
      params: { fb_api_req_friendly_name: document.name },
      carries: ids,
      // The platform's cursor is in JSON within the form.
      ...(typeof after === 'string' ? { from: { carries: [JSON.stringify(after)] } } : {}),
      later: /"after":\s*"/,
      gestures: gestures[name] ?? {},
    },
  };
}
