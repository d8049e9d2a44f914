import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogue, type ExtractError } from '../../../../lib/errors/extract-error.js';
import { withoutSecrets } from '../../../output/log.js';
import { sendPage } from './docs-routes.js';
import { CodeLink, Page } from './parts.js';

/** A failed request of a browser outside of the API: somebody typed or followed an address. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isApi = /^\/(?:v1|mcp|metrics|healthz|stripe)(?:[/?]|$)/.test(url);
  return method === 'GET' && !isApi && /\btext\/html\b/.test(headers.accept ?? '');
}

/** The error as a page: what happened, what to do, where to go. */
export function sendFailurePage(error: ExtractError, reply: FastifyReply): FastifyReply {
  const { code, status, message, requestId } = error;
  const { summary, next } = catalogue[code];
  const page = (
    <Page title={code === 'endpoint_not_found' ? 'Page not found' : summary.replace(/\.$/, '')}>
      <p>
        {code === 'endpoint_not_found'
          ? 'The address leads nowhere on this server.'
          : withoutSecrets(message)}
      </p>
      <p>{next}</p>
      <p>
        <a href="/docs">Documentation</a> · <a href="/dashboard">Dashboard</a> ·{' '}
        <CodeLink href={`/docs/errors/${code}`} name={code} />
      </p>
      <p>
        <small>Request {requestId}</small>
      </p>
    </Page>
  );
  return sendPage(reply.code(status), page).header('Cache-Control', 'no-store');
}
