import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { adminSessionMs, adminSignInPath } from '../../../../service/accounts/sign-in/sign-in.js';
import { type DashboardContext, redirectTo } from '../../context.js';
import { textFields } from '../../forms.js';
import { PostForm } from '../../parts/form.js';
import { SmallLayout } from '../../parts/layout.js';

function AdminClosedPage() {
  return (
    <SmallLayout
      title="For the operator"
      lead="This page opens with the link that “extract serve” prints when it starts, or “extract server admin link” at any time."
    >
      <ul className="plain-list">
        <li>The link works once, for an hour. The session it opens lasts twelve hours.</li>
        <li>A new link replaces one that was not used.</li>
      </ul>
      <p>
        <a href="/dashboard">To the dashboard</a>
      </p>
    </SmallLayout>
  );
}

/** The page behind the operator's link. Its button signs in, so that opening the link does not use it up. */
function AdminEntryPage({ token }: { token: string }) {
  return (
    <SmallLayout title="For the operator" lead="This link opens the operator’s pages, once.">
      <PostForm action={adminSignInPath}>
        <input type="hidden" name="token" value={token} />
        <button type="submit">Open the admin pages</button>
      </PostForm>
    </SmallLayout>
  );
}

export function addAdminSignIn(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, cookies } = context;
  const closed = (_request: FastifyRequest, reply: FastifyReply) => reply.sendPage(<AdminClosedPage />, 403);

  // Changes nothing, because link previews would use the link up.
  app.get(adminSignInPath, async (request, reply) => {
    const { token } = request.query as { readonly token?: unknown };
    if (typeof token !== 'string' || !(await hosting.admin.isGood(token))) return closed(request, reply);
    return reply.sendPage(<AdminEntryPage token={token} />);
  });

  app.post(adminSignInPath, async (request, reply) => {
    const { token = '' } = textFields(request.body);
    const secret = await context.submitted.shared(request, () => hosting.admin.confirm(token));
    if (secret === null) return closed(request, reply);
    reply.setCookie(cookies.admin, secret, { ...cookies.options, maxAge: adminSessionMs / 1000 });
    return redirectTo(reply, '/admin');
  });
}

/** Admits only the operator, for all routes below. */
export function addAdminGuard(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, cookies } = context;
  app.addHook('onRequest', async (request, reply) => {
    const secret = request.cookies[cookies.admin];
    if (secret === undefined || !(await hosting.admin.isOpen(secret))) {
      return reply.sendPage(<AdminClosedPage />, 403);
    }
    request.operator = createHash('sha256').update(secret).digest('base64url');
  });
}

export function addAdminSignOut(app: FastifyInstance, { hosting, cookies }: DashboardContext): void {
  app.post('/sign-out', async (request, reply) => {
    await hosting.admin.endSession(request.cookies[cookies.admin] ?? '');
    reply.clearCookie(cookies.admin, cookies.options);
    return redirectTo(reply, '/sign-in', 'signed-out');
  });
}
