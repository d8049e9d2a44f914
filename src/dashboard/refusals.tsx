import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { namedError } from '../server/error-answer.js';
import { logRefusal, withoutSecrets } from '../server/log.js';
import { type DashboardContext, frameOf } from './context.js';
import { ErrorPage, ForeignFormPage, NotFoundPage } from './pages/error.js';
import { ForeignForm } from './security.js';
import { show } from './show.js';

/** What is not there, or not this account's: nobody can tell which. */
export function notFound(): ExtractError {
  return new ExtractError('endpoint_not_found', 'There is no such page.');
}

const isForeign = (error: unknown) =>
  error instanceof ForeignForm ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_CSRF_'));

/** Answers whatever goes wrong below with a page that says so. */
export function addRefusals(app: FastifyInstance, context: DashboardContext): void {
  app.setErrorHandler((error, request, reply) => {
    const frame = frameOf(context, request, reply);
    if (isForeign(error)) {
      request.log.info({ path: frame.path }, 'a form from elsewhere was refused');
      return show(reply, <ForeignFormPage frame={frame} />, 403);
    }
    const named = namedError(error, request.id, context.services.docsBase);
    context.metrics.refused(null, named.code);
    logRefusal(named, request);
    if (named.retryAfter !== undefined) reply.header('Retry-After', String(Math.ceil(named.retryAfter)));
    const page =
      named.code === 'endpoint_not_found' ? (
        <NotFoundPage frame={frame} />
      ) : (
        <ErrorPage
          frame={frame}
          code={named.code}
          message={withoutSecrets(named.message)}
          requestId={request.id}
        />
      );
    return show(reply, page, named.status);
  });
}
