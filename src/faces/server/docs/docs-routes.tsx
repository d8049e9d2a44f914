import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReactElement } from 'react';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { brandList } from '../../../../lib/platforms.js';
import { makeOnce } from '../../../../lib/runtime/make-once.js';
import { renderPage } from '../../../output/html.js';
import { assets } from '../../../output/site/assets.js';
import { favicon } from '../../../output/site/favicon.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import { docsFile, guideFiles } from './guides.js';
import { type DocsPage, type DocsSection, docsSections } from './pages.js';
import type { SearchedPage } from './search.js';

/** Allows only our own style sheet and script; forms may only search. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const year = 'public, max-age=31536000, immutable';

/** `seconds` is how long caches may keep the response; 0 for not at all. */
const cached = (reply: FastifyReply, type: string, seconds = 300) =>
  reply
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', seconds === 0 ? 'no-store' : `public, max-age=${seconds}`)
    .type(`${type}; charset=utf-8`);

/** Sends a page for people, rendered here and without external resources. */
export function sendPage(reply: FastifyReply, page: ReactElement, seconds?: number): FastifyReply {
  return sendHtml(reply, renderPage(page), seconds);
}

function sendHtml(reply: FastifyReply, html: string, seconds?: number): FastifyReply {
  return cached(reply, 'text/html', seconds)
    .header('Content-Security-Policy', policy)
    .header('Referrer-Policy', 'no-referrer')
    .send(html);
}

async function renderedPage(page: DocsPage, sections: readonly DocsSection[]) {
  const [{ renderMarkdown }, { WrittenPage }] = await Promise.all([
    import('../../../output/site/markdown.js'),
    import('./docs-layout.js'),
  ]);
  const markdown = await page.markdown();
  const { html, sections: contents } = renderMarkdown(markdown);
  return { markdown, html: renderPage(<WrittenPage {...{ page, html, sections, contents }} />) };
}

/** Renders a page once per edition, because it is the same for everyone. */
function pageOfEdition(page: DocsPage, sections: readonly DocsSection[]) {
  let edition: string | undefined;
  let builtPage = makeOnce(() => renderedPage(page, sections));
  return () => {
    const now = page.edition?.();
    if (now !== edition) builtPage = makeOnce(() => renderedPage(page, sections));
    edition = now;
    return builtPage.get();
  };
}

export function addAssetRoutes(app: FastifyInstance): void {
  for (const { address, type, content } of Object.values(assets)) {
    app.get(address, async (_, reply) =>
      reply
        .header('X-Content-Type-Options', 'nosniff')
        .header('Cache-Control', year)
        .type(type)
        .send(content),
    );
  }
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, async (_, reply) => cached(reply, 'image/svg+xml').send(favicon));
  }
}

/** Builds the index for assistants (llmstxt.org): every page with its subject. */
function llmsText(pages: readonly DocsPage[], base: string): string {
  const lines = pages.map(({ path, title, summary }) => `- [${title}](${base}${path}.md): ${summary}`);
  return [
    '# extract',
    `> Get structured data from public ${brandList} pages: eighteen functions, one contract.`,
    `The complete API description: ${base}/openapi.json`,
    '## Documentation',
    lines.join('\n'),
    '',
  ].join('\n\n');
}

const searchParams = z.object({ q: z.string().max(200).default('') });

/** `/docs`: every page as HTML and as Markdown, a search over them, and the index for assistants. */
export function addDocsRoutes(app: FastifyInstance, base: string, health: HealthReports): void {
  const sections = docsSections(base, health);
  const pages = sections.flatMap((section) => section.pages);
  for (const page of pages) {
    const current = pageOfEdition(page, sections);
    app.get(page.path, async (_, reply) => sendHtml(reply, (await current()).html, page.seconds));
    app.get(`${page.path}.md`, async (_, reply) =>
      cached(reply, 'text/markdown').send((await current()).markdown),
    );
  }
  for (const { name, type } of guideFiles) {
    app.get(`/docs/guides/${name}`, async (_, reply) => cached(reply, type).send(docsFile(name)));
  }
  app.get('/llms.txt', async (_, reply) => cached(reply, 'text/plain').send(llmsText(pages, base)));

  /** Reads each page in its own turn of the loop, so that nothing waits for all of them. */
  async function searchedPages(): Promise<readonly SearchedPage[]> {
    const { searchedPage } = await import('./search.js');
    const searched: SearchedPage[] = [];
    for (const page of pages) {
      searched.push(searchedPage(page, await page.markdown()));
      await setImmediate();
    }
    return searched;
  }

  let searched: Promise<readonly SearchedPage[]> | undefined;
  app.get('/docs/search', async (request, reply) => {
    const query = searchParams.safeParse(request.query);
    if (!query.success) throw new ExtractError('invalid_parameter', 'Pass one q of at most 200 characters.');
    const { SearchPage, searchPages } = await import('./search.js');
    searched ??= searchedPages();
    searched.catch(() => {
      searched = undefined;
    });
    const { q } = query.data;
    return sendPage(
      reply,
      <SearchPage {...{ sections, query: q, results: searchPages(await searched, q) }} />,
    );
  });
}
