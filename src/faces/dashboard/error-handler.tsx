import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { toExtractError } from '../../output/error-answer.js';
import { logFailure, withoutSecrets } from '../../output/log.js';
import { type DashboardContext, frameOf } from './context.js';
import { ErrorPage, ForeignFormPage, NotFoundPage } from './pages/error.js';
import { ForeignFormError } from './security.js';
import { sendPage } from './send-page.js';

/** The error for a thing that does not exist or is another account's: nobody can tell which. */
export function pageNotFound(): ExtractError {
  return new ExtractError('endpoint_not_found', 'There is no such page.');
}

const isForeign = (error: unknown) =>
  error instanceof ForeignFormError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_CSRF_'));

/** Answers whatever goes wrong below with a page that says so. */
export function addErrorHandler(app: FastifyInstance, context: DashboardContext): void {
  app.setErrorHandler((error, request, reply) => {
    const frame = frameOf(context, request, reply);
    if (isForeign(error)) {
      request.log.info({ path: frame.path }, 'a form from elsewhere was refused');
      return sendPage(reply, <ForeignFormPage frame={frame} />, 403);
    }
    const named = toExtractError(error, request.id, context.services.docsBase);
    context.metrics.countError(null, named.code);
    logFailure(named, request);
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
    return sendPage(reply, page, named.status);
  });
}
