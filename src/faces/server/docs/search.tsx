import type { DocsPage } from './pages.js';
import { Page } from './parts.js';

/** A page that a search found, with the place that matched. */
export interface Found {
  readonly path: string;
  readonly title: string;
  readonly excerpt: string;
}

const maxFound = 20;
const excerptLength = 160;

function excerptOf(text: string, word: string): string {
  const plain = text.replace(/[#*`|>\\[\]]/g, '').replace(/\s+/g, ' ');
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - excerptLength / 4);
  return plain.slice(at, at + excerptLength).trim();
}

/** Pages that hold every word of a query. Those whose title holds it come first, then those that hold it most often. */
export function searchPages(texts: ReadonlyMap<DocsPage, string>, query: string): readonly Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  const rated = [...texts].flatMap(([page, text]) => {
    const [title, body] = [page.title.toLowerCase(), `${page.summary}\n${text}`.toLowerCase()];
    if (!words.every((word) => title.includes(word) || body.includes(word))) return [];
    const score = words.reduce(
      (sum, word) => sum + (title.includes(word) ? 10 : 0) + Math.min(20, body.split(word).length - 1),
      0,
    );
    return [{ page, text, score }];
  });
  return rated
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ page: { path, title }, text }) => ({ path, title, excerpt: excerptOf(text, words[0] ?? '') }));
}

/** What a search found. */
export function SearchPage({ query, found }: { readonly query: string; readonly found: readonly Found[] }) {
  return (
    <Page title="Search" query={query}>
      <p>{found.length === 0 ? `Nothing found for “${query}”.` : `Pages that mention “${query}”:`}</p>
      <ul>
        {found.map(({ path, title, excerpt }) => (
          <li key={path}>
            <a href={path}>{title}</a>
            <br />
            <small>…{excerpt}…</small>
          </li>
        ))}
      </ul>
    </Page>
  );
}
