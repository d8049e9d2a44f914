import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReactElement } from 'react';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError, isErrorCode } from '../../../lib/errors/extract-error.js';
import { renderPage } from '../../output/html.js';
import { endpointPage } from './endpoint-page.js';
import { ErrorPage, ErrorsPage } from './error-pages.js';
import { IndexPage } from './index-page.js';
import { ObjectsPage, objectPage } from './object-pages.js';
import { operationPage } from './operation-pages.js';

/** Nothing but our own style sheet: pages without script, frames or forms. */
const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function send(reply: FastifyReply, page: ReactElement | null): FastifyReply {
  if (page === null) throw new ExtractError('endpoint_not_found', 'There is no such page.');
  return reply
    .header('Content-Security-Policy', policy)
    .header('X-Content-Type-Options', 'nosniff')
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'public, max-age=300')
    .type('text/html; charset=utf-8')
    .send(renderPage(page));
}

/** `/docs`: a page for each endpoint, object and error code, rendered here and served without anything from elsewhere. */
export function addDocsRoutes(app: FastifyInstance): void {
  app.get('/docs', async (_, reply) => send(reply, <IndexPage />));
  app.get('/docs/style.css', async (_, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=300')
      .header('X-Content-Type-Options', 'nosniff')
      .type('text/css; charset=utf-8')
      .send(style),
  );
  app.get('/docs/errors', async (_, reply) => send(reply, <ErrorsPage />));
  app.get<{ Params: { code: string } }>('/docs/errors/:code', async ({ params: { code } }, reply) =>
    send(reply, isErrorCode(code) ? <ErrorPage code={code} /> : null),
  );
  app.get('/docs/objects', async (_, reply) => send(reply, <ObjectsPage />));
  app.get<{ Params: { name: string } }>('/docs/objects/:name', async ({ params: { name } }, reply) =>
    send(reply, objectPage(name)),
  );
  app.get<{ Params: { name: string } }>('/docs/operations/:name', async ({ params: { name } }, reply) =>
    send(reply, operationPage(name)),
  );
  for (const endpoint of endpoints) {
    app.get(`/docs/endpoints/${endpoint.path}`, async (_, reply) =>
      send(reply, await endpointPage(endpoint)),
    );
  }
}

/** The look of the documentation, in the colours of the dashboard, light or dark as the reader has it. */
const style = `:root { color-scheme: light dark; --line: light-dark(#e1e5e0, #2a302e); background: light-dark(#f6f7f5, #101312); color: light-dark(#17211d, #e9edeb); }
body { font: .9375rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { line-height: 1.2; letter-spacing: -.015em; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
code { background: color-mix(in srgb, currentColor 8%, transparent); padding: .1em .3em; border-radius: .25em; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; padding: 1rem; }
pre code { background: none; padding: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: 2rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); } nav .brand { color: inherit; font-weight: 680; letter-spacing: -.02em; text-decoration: none; }
a { color: light-dark(#0e6b5c, #57c9b0); text-underline-offset: .2em; } :focus-visible { outline: 2px solid; outline-offset: 2px; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
`;
