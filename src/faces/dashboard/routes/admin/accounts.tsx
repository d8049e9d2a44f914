import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccountOverview, type AccountSummary } from '../../../../service/accounts/account-overview.js';
import { isActive } from '../../../../service/accounts/accounts.js';
import { maxEmailLength } from '../../../../service/accounts/email-address.js';
import { type DashboardContext, redirectTo } from '../../context.js';
import { pageNotFound } from '../../error-handler.js';
import { parseCredits, textFields } from '../../forms.js';
import { AccountPage, AccountsPage } from '../../pages/admin/accounts.js';

type OfAccount = { Params: { id: string } };

const pageSize = 50;

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim().slice(0, maxEmailLength) : '');

/** All accounts, and packs that the operator grants. */
export function addAccountRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, services, submitted, usage } = context;
  const overview = new AccountOverview({ ...hosting, usage });

  app.get('/accounts', async (request, reply) => {
    const query = request.query as { readonly search?: unknown; readonly before?: unknown };
    const search = textOf(query.search);
    const before = typeof query.before === 'string' ? query.before : undefined;
    const [{ accounts, next }, count] = await Promise.all([
      overview.page(search, pageSize, before),
      overview.count(),
    ]);
    const address = (more: Readonly<Record<string, string>>) =>
      `/admin/accounts?${new URLSearchParams({ ...(search === '' ? {} : { search }), ...more })}`;
    return reply.sendPage(
      <AccountsPage
        first={before === undefined ? null : address({})}
        next={next === null ? null : address({ before: next })}
        {...{ accounts, count, search }}
      />,
    );
  });

  async function accountOf({ params }: FastifyRequest<OfAccount>): Promise<AccountSummary> {
    const account = await overview.find(params.id);
    if (account === null) throw pageNotFound();
    return account;
  }

  async function page(
    request: FastifyRequest<OfAccount>,
    reply: FastifyReply,
    again?: { readonly typed: string; readonly problem: string },
  ) {
    const account = await accountOf(request);
    const [keys, purchases] = await Promise.all([
      hosting.accounts.listKeys(account.id),
      hosting.payments.list(account.id),
    ]);
    return reply.sendPage(
      <AccountPage
        keys={keys.filter((key) => isActive(key, services.clock.now())).length}
        {...{ account, purchases, ...again }}
      />,
      again === undefined ? 200 : 400,
    );
  }

  app.get<OfAccount>('/accounts/:id', async (request, reply) => page(request, reply));

  app.post<OfAccount>('/accounts/:id/credit', async (request, reply) => {
    const { id } = await accountOf(request);
    const { credits: text = '' } = textFields(request.body);
    const credits = parseCredits(text);
    if (credits === null) {
      return page(request, reply, { typed: text, problem: 'Enter a whole number of credits, at least 1.' });
    }
    await submitted.once(request, async () => {
      const { id: purchase } = await hosting.payments.confirmByHand(id, credits);
      request.log.info({ account: id, credits, purchase }, 'the operator added a pack');
    });
    return redirectTo(reply, `/admin/accounts/${id}`, 'credits-added');
  });
}
