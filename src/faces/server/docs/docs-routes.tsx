import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReactElement } from 'react';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { renderPage } from '../../../output/html.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import { favicon, script, style } from './look.js';
import { type DocsPage, docsPages } from './pages.js';
import { SearchPage, searchPages } from './search.js';

/** Nothing but our own style sheet and script; a form may only search. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const cached = (reply: FastifyReply, type: string, seconds = 300) =>
  reply
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', `public, max-age=${seconds}`)
    .type(`${type}; charset=utf-8`);

/** Sends a page for people: rendered here, and served without anything from elsewhere. */
export function sendPage(reply: FastifyReply, page: ReactElement, seconds?: number): FastifyReply {
  return cached(reply, 'text/html', seconds)
    .header('Content-Security-Policy', policy)
    .header('Referrer-Policy', 'no-referrer')
    .send(renderPage(page));
}

const searchParams = z.object({ q: z.string().max(200).default('') });

/** `/docs`: every page as HTML and as Markdown, a search over them, and the index for assistants. */
export function addDocsRoutes(app: FastifyInstance, base: string, health: HealthReports): void {
  const pages = docsPages(base, health);
  const file = (path: string, type: string, text: string) =>
    app.get(path, async (_, reply) => cached(reply, type).send(text));
  file('/docs/style.css', 'text/css', style);
  file('/docs/script.js', 'text/javascript', script);
  for (const path of ['/favicon.svg', '/favicon.ico']) file(path, 'image/svg+xml', favicon);
  for (const page of pages) {
    app.get(page.path, async (_, reply) => sendPage(reply, await page.render(), page.seconds));
    app.get(`${page.path}.md`, async (_, reply) => {
      const { pageMarkdown } = await import('./markdown.js');
      return cached(reply, 'text/markdown').send(await pageMarkdown(page));
    });
  }
  app.get('/llms.txt', async (_, reply) => {
    const { llmsText } = await import('./markdown.js');
    return cached(reply, 'text/plain').send(llmsText(pages, base));
  });
  let texts: Promise<ReadonlyMap<DocsPage, string>> | undefined;
  app.get('/docs/search', async (request, reply) => {
    const query = searchParams.safeParse(request.query);
    if (!query.success) throw new ExtractError('invalid_parameter', 'A search has at most 200 characters.');
    const { allMarkdown } = await import('./markdown.js');
    texts ??= allMarkdown(pages);
    texts.catch(() => {
      texts = undefined;
    });
    const { q } = query.data;
    return sendPage(reply, <SearchPage query={q} found={searchPages(await texts, q)} />);
  });
}
