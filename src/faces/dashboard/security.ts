import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DashboardOptions, tokenHolder } from './context.js';
import type { Cookies } from './cookies.js';

/** The only other site that a form may lead to: the payment provider. */
const checkout = 'https://checkout.stripe.com';

/** A form that was not sent from a page of ours. */
export class ForeignFormError extends Error {
  constructor() {
    super('The form was not submitted from a page of this server.');
  }
}

/** A form of a session that has ended. */
export class SignedOutFormError extends Error {
  constructor() {
    super('The form was submitted without a session.');
  }
}

/** True if, according to the browser, a page of this server sent the request. */
function isSameOrigin({ headers, host }: FastifyRequest, publicHost: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  const from = URL.canParse(origin) ? new URL(origin).host : '';
  return from === host || from === publicHost;
}

const changesState = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD';

/** Registers the security plugins for every route of the dashboard. */
export async function addSecurity(
  app: FastifyInstance,
  { hosting, services }: DashboardOptions,
  cookies: Cookies,
): Promise<void> {
  const { docsBase } = services;
  const secure = docsBase.startsWith('https:');
  const forms = hosting.payments.method === 'stripe' ? [checkout] : [];
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'", ...forms],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Without it browsers send our own pages' forms with the origin “null”.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
  await app.register(cookie);
  await app.register(formbody);
  const hmacKey = Buffer.from(await services.secret()).toString('base64url');
  await app.register(csrf, {
    cookieKey: cookies.form,
    cookieOpts: cookies.options,
    getUserInfo: tokenHolder,
    csrfOpts: { hmacKey: `forms of the dashboard\0${hmacKey}` },
    logLevel: 'debug',
  });

  const publicHost = new URL(docsBase).host;
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    if (changesState(request) && !isSameOrigin(request, publicHost)) throw new ForeignFormError();
  });
}

/** Refuses forms without the token of their page, for all routes registered after it. */
export function addTokenCheck(app: FastifyInstance): void {
  app.addHook('preHandler', (request, reply, done) => {
    if (!changesState(request)) done();
    else app.csrfProtection(request, reply, done);
  });
}
