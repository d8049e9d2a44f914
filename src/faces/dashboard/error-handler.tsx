import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { toExtractError } from '../../output/error-answer.js';
import { logFailure, withoutSecrets } from '../../output/log.js';
import { type DashboardContext, redirectTo } from './context.js';
import { pathOf } from './frame.js';
import { ErrorPage, ForeignFormPage, NotFoundPage } from './pages/error.js';
import { UnsentFormPage } from './pages/unsent-form.js';
import { ForeignFormError, SignedOutFormError } from './security.js';
import { formPage, signInFor, unsentForm } from './unsent-form.js';

/** The error for anything that does not exist or belongs to another account; the two must look the same. */
export function pageNotFound(): ExtractError {
  return new ExtractError('endpoint_not_found', 'There is no such page.');
}

/** True for a form without the token of a page of this session, or without a session. */
const isOutdated = (error: unknown) =>
  error instanceof SignedOutFormError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_CSRF_'));

function refuseForeignForm(
  context: DashboardContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.log.info({ path: pathOf(request.url) }, 'a form from elsewhere was refused');
  const hasCookies = request.cookies[context.cookies.form] !== undefined;
  return reply.sendPage(<ForeignFormPage {...{ hasCookies }} page={formPage(request)} />, 403);
}

/** Answers a form from an expired page, with its fields if they certainly came from its owner. */
function refuseOutdatedForm(
  context: DashboardContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isSignedOut = request.viewer === null && request.url.startsWith('/dashboard/');
  // A second click on the button that has just deleted the account.
  if (isSignedOut && context.submitted.has(request)) return redirectTo(reply, '/sign-in', 'account-deleted');
  const form = unsentForm(request);
  const signIn = isSignedOut ? signInFor(formPage(request)) : null;
  if (form !== null) return reply.sendPage(<UnsentFormPage {...{ form, signIn }} />, 403);
  if (signIn !== null) return redirectTo(reply, signIn, 'not-taken');
  return refuseForeignForm(context, request, reply);
}

/** Answers every error below with a page that explains it. */
export function addErrorHandler(app: FastifyInstance, context: DashboardContext): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ForeignFormError) return refuseForeignForm(context, request, reply);
    if (isOutdated(error)) return refuseOutdatedForm(context, request, reply);
    const shownError = toExtractError(error, request.id, context.services.docsBase);
    context.metrics.countError(null, shownError.code);
    logFailure(shownError, request);
    if (shownError.retryAfter !== undefined)
      reply.header('Retry-After', String(Math.ceil(shownError.retryAfter)));
    const page =
      shownError.code === 'endpoint_not_found' ? (
        <NotFoundPage />
      ) : (
        <ErrorPage
          code={shownError.code}
          message={withoutSecrets(shownError.message)}
          requestId={request.id}
        />
      );
    return reply.sendPage(page, shownError.status);
  });
}
