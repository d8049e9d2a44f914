import type { ReactNode } from 'react';
import { Document, Footer, MenuBar } from '../../../output/site/document.js';
import type { Section } from '../../../output/site/markdown.js';
import type { DocsPage, DocsSection } from './pages.js';

interface NavigationProps {
  readonly sections: readonly DocsSection[];
  readonly path: string;
  readonly query?: string | undefined;
}

const isListed = (page: DocsPage): page is DocsPage & { readonly entry: string } => page.entry !== null;

/** Returns the navigation entry for a page: itself, or the list that leads to it; null for the search. */
function listedPath(sections: readonly DocsSection[], path: string): string | null {
  const listed = sections.flatMap(({ pages }) => pages.filter(isListed));
  if (listed.some((page) => page.path === path)) return path;
  const above = path.slice(0, path.lastIndexOf('/'));
  return above === '/docs' ? null : above;
}

/** The search, and every page by section, with the current section expanded. */
function Navigation({ sections, path, query }: NavigationProps) {
  const here = listedPath(sections, path);
  return (
    <>
      <form className="search" action="/docs/search">
        <input
          type="search"
          name="q"
          aria-label="Search the documentation"
          placeholder="Search"
          defaultValue={query}
        />
        <button className="quiet" type="submit">
          Search
        </button>
      </form>
      <nav className="docs-navigation" aria-label="Documentation">
        {sections.map(({ title, pages }, at) => {
          const listed = pages.filter(isListed);
          return (
            <details key={title} open={at === 0 || listed.some((page) => page.path === here)}>
              <summary>{title}</summary>
              <ul>
                {listed.map((page) => (
                  <li key={page.path}>
                    <a href={page.path} aria-current={page.path === here ? 'page' : undefined}>
                      {page.entry}
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          );
        })}
        <ul className="elsewhere">
          <li>
            <a href="/status">Status</a>
          </li>
          <li>
            <a href="/dashboard">Dashboard</a>
          </li>
        </ul>
      </nav>
    </>
  );
}

/** The table of contents; nothing if the page has a single section. */
function Contents({ of }: { readonly of: readonly Section[] }) {
  if (of.length < 2) return null;
  return (
    <nav className="contents" aria-label="On this page">
      <p>On this page</p>
      <ul>
        {of.map(({ id, title, depth }) => (
          <li key={id} className={depth > 2 ? 'deeper' : undefined}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({ sections, path }: Pick<NavigationProps, 'sections' | 'path'>) {
  const listed = sections.flatMap(({ pages }) => pages.filter(isListed));
  const at = listed.findIndex((page) => page.path === path);
  if (at < 0) return null;
  const [before, after] = [listed[at - 1], listed[at + 1]];
  return (
    <nav className="neighbours" aria-label="Previous and next page">
      {before === undefined ? (
        <span />
      ) : (
        <a href={before.path} rel="prev">
          <small>Previous</small> {before.entry}
        </a>
      )}
      {after === undefined ? null : (
        <a href={after.path} rel="next">
          <small>Next</small> {after.entry}
        </a>
      )}
    </nav>
  );
}

interface DocsLayoutProps extends NavigationProps {
  readonly title: string;
  readonly description?: string;
  readonly contents?: readonly Section[];
  readonly children: ReactNode;
}

/** A page of the documentation, between its navigation and its table of contents. */
export function DocsLayout({ title, description, contents = [], children, ...navigation }: DocsLayoutProps) {
  return (
    <Document title={title} description={description} kind="with-menu">
      <MenuBar home="/">
        <Navigation {...navigation} />
      </MenuBar>
      <div className="docs">
        <main id="content" tabIndex={-1} className="prose">
          <h1>{title}</h1>
          <Contents of={contents} />
          {children}
          <Neighbours {...navigation} />
        </main>
        <Footer />
      </div>
    </Document>
  );
}

export function WrittenPage({
  page,
  html,
  ...layout
}: Omit<DocsLayoutProps, 'title' | 'children' | 'path'> & {
  readonly page: DocsPage;
  readonly html: string;
}) {
  return (
    <DocsLayout {...layout} path={page.path} title={page.title} description={page.summary}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the pages are part of the program */}
      <div className="written" dangerouslySetInnerHTML={{ __html: html }} />
      <p className="remark">
        <a href={`${page.path}.md`}>This page as Markdown</a>
      </p>
    </DocsLayout>
  );
}
