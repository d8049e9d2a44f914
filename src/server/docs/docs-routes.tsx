import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReactElement } from 'react';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError, isErrorCode } from '../../../lib/errors/extract-error.js';
import type { HealthReports } from '../../health/health-report.js';
import { renderPage } from '../../output/html.js';
import { endpointPage } from './endpoint-page.js';
import { ErrorPage, ErrorsPage } from './error-pages.js';
import { IndexPage } from './index-page.js';
import { ObjectsPage, objectPage } from './object-pages.js';
import { operationPage } from './operation-pages.js';
import { pagePolicy } from './page-policy.js';

/** How long a page may be kept that shows the state of an endpoint. */
const stateSeconds = 30;

function send(reply: FastifyReply, page: ReactElement | null, seconds = 300): FastifyReply {
  if (page === null) throw new ExtractError('endpoint_not_found', 'There is no such page.');
  return reply
    .headers(pagePolicy)
    .header('Cache-Control', `public, max-age=${seconds}`)
    .type('text/html; charset=utf-8')
    .send(renderPage(page));
}

/** `/docs`: a page for each endpoint, object and error code, rendered here and served without anything from elsewhere. */
export function addDocsRoutes(app: FastifyInstance, health: HealthReports): void {
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
      send(reply, await endpointPage(endpoint, health.report(endpoint)), stateSeconds),
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
.state { display: inline-block; padding: .05em .55em; border-radius: 1em; font-size: .8125rem; font-weight: 600; white-space: nowrap; background: var(--tint); color: var(--ink); }
.ok { --ink: light-dark(#1b6e3c, #6bcf8f); --tint: light-dark(#e4f3e8, #16301f); } .degraded { --ink: light-dark(#7a5200, #e7b450); --tint: light-dark(#faf0d9, #33280f); }
.refused { --ink: light-dark(#ae2a20, #ff958a); --tint: light-dark(#fbeae8, #3a1c19); } .changed { --ink: light-dark(#7b2a8b, #e0a3ee); --tint: light-dark(#f6e8f8, #331939); }
.unknown { --ink: light-dark(#56605b, #a2aca7); --tint: light-dark(#e6eae6, #272d2b); }
.headline { font-size: 1.125rem; font-weight: 600; } .remark { font-size: .8125rem; color: light-dark(#56605b, #a2aca7); }
.endpoints { list-style: none; margin: 0; padding: 0; } .endpoint { padding: .9rem 0; border-bottom: 1px solid var(--line); } .endpoint p { margin: .35rem 0 0; }
.endpoint .head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1rem; } .endpoint h3 { margin: 0; font-size: .9375rem; }
.days { display: block; width: 100%; height: 1.5rem; margin-top: .5rem; border-radius: .25rem; } .days rect { fill: var(--ink); } .days .unknown { fill: light-dark(#dfe4df, #2a302e); }
.legend div { display: flex; flex-wrap: wrap; gap: .25rem .75rem; margin-bottom: .4rem; } .legend dt { min-width: 6rem; } .legend dd { margin: 0; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
`;
