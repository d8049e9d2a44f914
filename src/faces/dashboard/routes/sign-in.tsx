import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type SignedIn, signInPath } from '../../../service/accounts/sign-in/sign-in.js';
import { type DashboardContext, redirectTo, viewerOf } from '../context.js';
import { sessionSeconds } from '../cookies.js';
import { findViewer } from '../find-viewer.js';
import { type FormValues, readForm, textFields } from '../forms.js';
import { ConfirmPage, LinkRefusedPage, LinkSentPage, SignInPage } from '../pages/sign-in.js';

const home = '/dashboard';

/**
 * Returns the dashboard path to continue to, from untrusted text. An address that leads elsewhere, however it is
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
  email: z.string('Enter your e-mail address.').trim().min(1, 'Enter your e-mail address.'),
  next: z.string().optional(),
});

/** Slightly longer than a code is valid. */
const browserSeconds = 20 * 60;

const ofTheField = ['invalid_parameter', 'disposable_email', 'rate_limited'];

export function addSignInRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, cookies, submitted } = context;

  app.get('/sign-in', async (request, reply) => {
    const { next = request.cookies[cookies.next] } = request.query as { next?: unknown };
    return reply.sendPage(<SignInPage next={nextPath(next)} />);
  });

  app.post('/sign-in', async (request, reply) => {
    const { email: emailText, next: nextText } = textFields(request.body);
    const next = nextPath(nextText);
    const again = (problems: FormValues, status: number) =>
      reply.sendPage(
        <SignInPage next={next} values={{ email: emailText ?? '' }} problems={problems} />,
        status,
      );
    const form = readForm(askForm, request.body);
    if (!form.ok) return again(form.problems, 400);
    try {
      const link = await submitted.shared(request, () =>
        hosting.signIn.request({
          ...{ email: form.data.email, address: request.ip, next },
          browser: request.cookies[cookies.browser],
        }),
      );
      reply.setCookie(cookies.browser, link.browser, { ...cookies.options, maxAge: browserSeconds });
      reply.setCookie(cookies.next, next, cookies.options);
      return redirectTo(reply, '/sign-in/sent');
    } catch (error) {
      if (!(error instanceof ExtractError) || !ofTheField.includes(error.code)) throw error;
      return again({ email: error.message }, error.status);
    }
  });

  const linkSentPage = (_request: FastifyRequest, reply: FastifyReply, problem?: string) =>
    reply.sendPage(
      <LinkSentPage mailFolder={context.mailFolder} problem={problem} />,
      problem === undefined ? 200 : 400,
    );

  app.get('/sign-in/sent', async (request, reply) => linkSentPage(request, reply));

  const userAgentOf = ({ headers }: FastifyRequest) => headers['user-agent'] ?? '';

  function enter(reply: FastifyReply, { secret, next, isNew }: SignedIn): FastifyReply {
    for (const name of [cookies.browser, cookies.next]) reply.clearCookie(name, cookies.options);
    reply.setCookie(cookies.session, secret, { ...cookies.options, maxAge: sessionSeconds });
    return redirectTo(reply, nextPath(next), isNew ? 'welcome' : undefined);
  }

  const refuseLink = (request: FastifyRequest, reply: FastifyReply) =>
    reply.sendPage(<LinkRefusedPage next={nextPath(request.cookies[cookies.next])} />, 400);

  /** Answers a used link; a signed-in user does not need it. */
  async function usedUp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const viewer = await findViewer(context, request, reply);
    return viewer === null ? refuseLink(request, reply) : redirectTo(reply, home);
  }

  // Changes nothing, because mail scanners open links, too.
  app.get(signInPath, async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    const email = typeof token === 'string' ? await hosting.signIn.findAddress(token) : null;
    if (typeof token !== 'string' || email === null) return usedUp(request, reply);
    return reply.sendPage(<ConfirmPage {...{ token, email }} />);
  });

  app.post(signInPath, async (request, reply) => {
    const { token = '' } = textFields(request.body);
    const signedIn = await submitted.shared(request, () =>
      hosting.signIn.confirm(token, userAgentOf(request)),
    );
    return signedIn === null ? usedUp(request, reply) : enter(reply, signedIn);
  });

  app.post('/sign-in/code', async (request, reply) => {
    const { code = '' } = textFields(request.body);
    const browser = request.cookies[cookies.browser];
    const result = await submitted.shared(request, () =>
      hosting.signIn.confirmCode(code, browser, userAgentOf(request)),
    );
    if (result.signedIn !== null) return enter(reply, result.signedIn);
    const { triesLeft } = result;
    const tries = triesLeft === 1 ? 'one more try' : `${triesLeft} more tries`;
    const problem =
      triesLeft > 0
        ? `This code does not match an e-mail that this browser requested. You have ${tries}; the link in the e-mail also works.`
        : 'This browser cannot use a code now. Open the link in the e-mail, or request another e-mail.';
    return linkSentPage(request, reply, problem);
  });
}

export function addSignOutRoute(app: FastifyInstance, { hosting, cookies }: DashboardContext): void {
  app.post('/sign-out', async (request, reply) => {
    const { account, session } = viewerOf(request);
    await hosting.signIn.endSession(account.id, session.id);
    reply.clearCookie(cookies.session, cookies.options);
    return redirectTo(reply, '/sign-in', 'signed-out');
  });
}
