import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { maxEmailLength } from '../../accounts/email-address.js';
import { type DashboardContext, frameOf, redirectTo } from '../context.js';
import { sessionSeconds } from '../cookies.js';
import { readForm, textFields } from '../forms.js';
import { nextPath } from '../next-path.js';
import { LinkRefusedPage, LinkSentPage, SignInPage } from '../pages/sign-in.js';
import { sendPage } from '../send-page.js';

const askForm = z.object({
  email: z.string('Type your e-mail address.').trim().min(1, 'Type your e-mail address.').max(maxEmailLength),
  next: z.string().optional(),
});

/** Seconds that a browser keeps the secret that its link asks for; a little longer than the link lasts. */
const browserSeconds = 20 * 60;

/** Codes of refusals that are said beside the field. */
const ofTheField = ['invalid_parameter', 'disposable_email', 'rate_limited'];

/** Signing in by a link, and out. */
export function addSignInRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, cookies } = context;

  app.get('/sign-in', async (request, reply) => {
    const { next } = request.query as { next?: unknown };
    return sendPage(reply, <SignInPage frame={frameOf(context, request, reply)} next={nextPath(next)} />);
  });

  app.post('/sign-in', async (request, reply) => {
    const { email: said, next: wanted } = textFields(request.body);
    const next = nextPath(wanted);
    const again = (problem: string | undefined, status: number) =>
      sendPage(
        reply,
        <SignInPage frame={frameOf(context, request, reply)} next={next} email={said} problem={problem} />,
        status,
      );
    const form = readForm(askForm, request.body);
    if (!form.ok) return again(form.problems.email, 400);
    try {
      const { browser } = await hosting.signIn.request({ email: form.data.email, address: request.ip, next });
      reply.setCookie(cookies.browser, browser, { ...cookies.options, maxAge: browserSeconds });
      return redirectTo(reply, '/sign-in/sent');
    } catch (error) {
      if (!(error instanceof ExtractError) || !ofTheField.includes(error.code)) throw error;
      return again(error.message, error.status);
    }
  });

  app.get('/sign-in/sent', async (request, reply) =>
    sendPage(reply, <LinkSentPage frame={frameOf(context, request, reply)} />),
  );

  app.get('/sign-in/confirm', async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    const browser = request.cookies[cookies.browser];
    const userAgent = request.headers['user-agent'] ?? '';
    const signedIn =
      typeof token === 'string' ? await hosting.signIn.confirm(token, browser, userAgent) : null;
    if (signedIn === null) {
      return sendPage(reply, <LinkRefusedPage frame={frameOf(context, request, reply)} />, 400);
    }
    reply.clearCookie(cookies.browser, cookies.options);
    reply.setCookie(cookies.session, signedIn.secret, { ...cookies.options, maxAge: sessionSeconds });
    return redirectTo(reply, nextPath(signedIn.next), signedIn.isNew ? 'welcome' : undefined);
  });
}
