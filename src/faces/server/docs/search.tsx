import { sectionTexts } from '../../../output/site/markdown.js';
import { DocsLayout } from './docs-layout.js';
import type { DocsPage, DocsSection } from './pages.js';

export interface SearchedPage {
  readonly page: DocsPage;
  readonly sections: ReturnType<typeof sectionTexts>;
  /** The complete text in lower case. */
  readonly text: string;
}

/** A page with the passage that matches the query. */
export interface SearchResult {
  readonly path: string;
  readonly title: string;
  readonly section: string;
  readonly excerpt: string;
}

const maxFound = 20;
const excerptLength = 180;

export function searchedPage(page: DocsPage, markdown: string): SearchedPage {
  return { page, sections: sectionTexts(markdown), text: `${page.summary}\n${markdown}`.toLowerCase() };
}

/** Returns the text around a match, from one word boundary to another. */
function excerptOf(line: string, words: readonly string[]): string {
  if (line.length <= excerptLength) return line;
  const at = Math.min(...words.map((word) => line.toLowerCase().indexOf(word)).filter((one) => one >= 0));
  const start = line.lastIndexOf(' ', Math.max(0, (Number.isFinite(at) ? at : 0) - excerptLength / 3)) + 1;
  const end = line.lastIndexOf(' ', start + excerptLength);
  return `${start > 0 ? '… ' : ''}${line.slice(start, end > start ? end : start + excerptLength)}${end < line.length ? ' …' : ''}`;
}

/** Returns the first line with the most matching words; the summary if only code matches. */
function bestLine({ page, sections }: SearchedPage, words: readonly string[]) {
  const heldBy = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const lines = sections.flatMap(({ id, title, depth, lines: of }) =>
    of.map((line) => ({ id: depth > 1 ? id : '', title: depth > 1 ? title : '', line, held: heldBy(line) })),
  );
  const best = lines.reduce<(typeof lines)[number] | null>(
    (best, one) => (one.held > (best?.held ?? 0) ? one : best),
    null,
  );
  return best ?? { id: '', title: '', line: page.summary };
}

/** Finds pages that contain every word of a query: first those with it in their title, then by number of matches. */
export function searchPages(pages: readonly SearchedPage[], query: string): readonly SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  const rated = pages.flatMap((searched) => {
    const { page, text } = searched;
    const title = page.title.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    const score = words.reduce(
      (sum, word) => sum + (title.includes(word) ? 10 : 0) + Math.min(20, text.split(word).length - 1),
      0,
    );
    return [{ searched, score }];
  });
  return rated
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ searched }) => {
      const { id, title, line } = bestLine(searched, words);
      return {
        path: `${searched.page.path}${id === '' ? '' : `#${id}`}`,
        title: searched.page.title,
        section: title,
        excerpt: excerptOf(line, words),
      };
    });
}

function summaryOf(query: string, results: readonly SearchResult[]): string {
  if (query.trim() === '') return 'Enter words to find the pages that contain all of them.';
  return results.length === 0 ? `Nothing found for “${query}”.` : `Pages that mention “${query}”:`;
}

export function SearchPage({
  sections,
  query,
  results,
}: {
  readonly sections: readonly DocsSection[];
  readonly query: string;
  readonly results: readonly SearchResult[];
}) {
  return (
    <DocsLayout sections={sections} path="/docs/search" query={query} title="Search">
      <p>{summaryOf(query, results)}</p>
      <ul className="found">
        {results.map(({ path, title, section, excerpt }) => (
          <li key={path}>
            <a href={path}>{section === '' ? title : `${title}: ${section}`}</a>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </DocsLayout>
  );
}
