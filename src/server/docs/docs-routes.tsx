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
import { style } from './style.js';

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
