import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { maxEmailLength } from '../../accounts/email-address.js';
import { type DashboardContext, frameOf, redirectTo, viewerOf } from '../context.js';
import { sessionSeconds } from '../cookies.js';
import { readForm, textFields } from '../forms.js';
import { LinkRefusedPage, LinkSentPage, SignInPage } from '../pages/sign-in.js';
import { sendPage } from '../send-page.js';

const home = '/dashboard';

/**
 * A path of the dashboard to go on to, from text that anybody may have written. What leads elsewhere, however it is
 * spelled, becomes the first page.
 */
export function nextPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > 1000 || !text.startsWith(home)) return home;
  const base = 'http://dashboard.invalid';
  if (!URL.canParse(text, base)) return home;
  const { origin, pathname, search } = new URL(text, base);
  const inside = pathname === home || pathname.startsWith(`${home}/`);
  return origin === base && inside ? `${pathname}${search}` : home;
}

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

/** Ends the session that asks for it. */
export function addSignOutRoute(app: FastifyInstance, { hosting, cookies }: DashboardContext): void {
  app.post('/sign-out', async (request, reply) => {
    const { account, session } = viewerOf(request);
    await hosting.signIn.end(account.id, session.id);
    reply.clearCookie(cookies.session, cookies.options);
    return redirectTo(reply, '/sign-in', 'signed-out');
  });
}
