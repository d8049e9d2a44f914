import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogue, type ExtractError } from '../../../../lib/errors/extract-error.js';
import { withoutSecrets } from '../../../output/log.js';
import { ErrorLink } from '../../../output/site/code.js';
import { PlainPage } from '../../../output/site/document.js';
import { sendPage } from './docs-routes.js';

/** True for an address used by programs. */
export const isApi = (url: string) => /^\/(?:v1|mcp|metrics|healthz|stripe)(?:[/?]|$)/.test(url);

/** True for a failed browser request outside the API: a person typed or followed an address. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && !isApi(url) && /\btext\/html\b/.test(headers.accept ?? '')
  );
}

/** Sends the error as a page: what happened, what to do, where to go. */
export function sendFailurePage(error: ExtractError, reply: FastifyReply): FastifyReply {
  const { code, status, message, requestId, retryAfter } = error;
  const { summary, next } = catalogue[code];
  const isMissing = code === 'endpoint_not_found';
  const page = (
    <PlainPage title={isMissing ? 'Page not found' : summary.replace(/\.$/, '')}>
      <p>{isMissing ? `This page does not exist on this server. ${next}` : withoutSecrets(message)}</p>
      <p>
        <a href="/docs">Documentation</a> · <a href="/dashboard">Dashboard</a> · <ErrorLink code={code} />
      </p>
      <p className="remark">Request {requestId}</p>
    </PlainPage>
  );
  if (retryAfter !== undefined) reply.header('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
  return sendPage(reply.code(status), page, 0);
}
