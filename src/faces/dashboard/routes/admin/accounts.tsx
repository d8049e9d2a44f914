import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AccountSummary, withLastUse } from '../../../../service/accounts/account-overview.js';
import { maxEmailLength } from '../../../../service/accounts/email-address.js';
import { activeKeys } from '../../active-keys.js';
import { type DashboardContext, type OfId, redirectTo } from '../../context.js';
import { pageNotFound } from '../../error-handler.js';
import { type FormState, parseCredits, textFields } from '../../forms.js';
import { AccountPage, AccountsPage } from '../../pages/admin/accounts.js';
import { withQuery } from '../../with-query.js';

const pageSize = 50;

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim().slice(0, maxEmailLength) : '');

/** All accounts, and packs that the operator grants. */
export function addAccountRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, submitted, usage } = context;
  const { accounts, signIn } = hosting;

  app.get('/accounts', async (request, reply) => {
    const query = request.query as { readonly search?: unknown; readonly before?: unknown };
    const search = textOf(query.search);
    const before = typeof query.before === 'string' ? query.before : undefined;
    const [page, count] = await Promise.all([accounts.listPage(search, pageSize, before), accounts.count()]);
    const shown = await Promise.all(page.accounts.map((account) => withLastUse(account, { signIn, usage })));
    const address = (position: string | null) =>
      withQuery('/admin/accounts', { search: search || null, before: position });
    return reply.sendPage(
      <AccountsPage
        first={before === undefined ? null : address(null)}
        next={page.next === null ? null : address(page.next)}
        {...{ count, search }}
        accounts={shown}
      />,
    );
  });

  async function accountOf({ params }: FastifyRequest<OfId>): Promise<AccountSummary> {
    const account = await accounts.get(params.id);
    if (account === null) throw pageNotFound();
    return withLastUse(account, { signIn, usage });
  }

  async function page(request: FastifyRequest<OfId>, reply: FastifyReply, again?: FormState) {
    const account = await accountOf(request);
    const [keys, purchases] = await Promise.all([
      activeKeys(context, account.id),
      hosting.payments.list(account.id),
    ]);
    return reply.sendPage(
      <AccountPage keys={keys.length} {...{ account, purchases, ...again }} />,
      again === undefined ? 200 : 400,
    );
  }

  app.get<OfId>('/accounts/:id', async (request, reply) => page(request, reply));

  app.post<OfId>('/accounts/:id/credit', async (request, reply) => {
    const { id } = await accountOf(request);
    const { credits: text = '' } = textFields(request.body);
    const credits = parseCredits(text);
    if (credits === null || Number.isNaN(credits)) {
      const problems = { credits: 'Enter a whole number of credits, at least 1.' };
      return page(request, reply, { values: { credits: text }, problems });
    }
    await submitted.once(request, async () => {
      const { id: purchase } = await hosting.payments.confirmByHand(id, credits);
      request.log.info({ account: id, credits, purchase }, 'the operator added a pack');
    });
    return redirectTo(reply, `/admin/accounts/${id}`, 'credits-added');
  });
}
