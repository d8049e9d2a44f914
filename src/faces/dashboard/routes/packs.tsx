import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import {
  type Buyer,
  maxBuyerLength,
  type NextStep,
  type Purchase,
} from '../../../service/accounts/packs/payments.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../context.js';
import { pageNotFound } from '../error-handler.js';
import { readForm, textFields } from '../forms.js';
import { PacksPage } from '../pages/packs.js';
import { CancelledOrderPage, OrderPage, ReceiptPage } from '../pages/purchase.js';

const orderForm = z.object({ credits: z.coerce.number().int() });
const noPack = 'This pack does not exist. Choose one of these.';

export function addPackRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { submitted, hosting } = context;
  const { payments } = hosting;
  const pathOf = ({ id }: Pick<Purchase, 'id'>) => `/dashboard/packs/${encodeURIComponent(id)}`;

  async function packsPage(
    request: FastifyRequest,
    reply: FastifyReply,
    problem?: string,
    buyerForm?: { readonly buyer: Buyer; readonly buyerProblem: string },
  ) {
    const { account } = viewerOf(request);
    const { packs, method } = payments;
    const [purchases, buyer] = await Promise.all([payments.list(account.id), payments.findBuyer(account.id)]);
    const status = problem === undefined && buyerForm === undefined ? 200 : 400;
    return reply.sendPage(
      <PacksPage {...{ account, packs, method, purchases, buyer, problem }} {...buyerForm} />,
      status,
    );
  }

  async function purchaseOf(request: FastifyRequest<OfId>): Promise<Purchase> {
    const payment = await payments.find(viewerOf(request).account.id, request.params.id);
    if (payment === null) throw pageNotFound();
    return payment;
  }

  /** Redirects to the provider's page, or to the payment instructions. */
  function onTo(reply: FastifyReply, purchase: Pick<Purchase, 'id'>, next: NextStep | null): FastifyReply {
    return next?.kind === 'redirect' ? reply.redirect(next.url, 303) : redirectTo(reply, pathOf(purchase));
  }

  app.get('/packs', async (request, reply) => {
    // The provider redirects here after payment.
    const { order } = request.query as { readonly order?: unknown };
    return typeof order === 'string' ? redirectTo(reply, pathOf({ id: order })) : packsPage(request, reply);
  });

  app.post('/packs', async (request, reply) => {
    const { id, email } = viewerOf(request).account;
    const form = readForm(orderForm, request.body);
    if (!form.ok) return packsPage(request, reply, noPack);
    try {
      const order = await submitted.once(request, () => payments.begin(id, form.data.credits, email));
      return order === undefined
        ? redirectTo(reply, '/dashboard/packs')
        : onTo(reply, order.purchase, order.next);
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code !== 'invalid_parameter') throw error;
      return packsPage(request, reply, noPack);
    }
  });

  app.get<OfId>('/packs/:id', async (request, reply) => {
    const purchase = await purchaseOf(request);
    const { account } = viewerOf(request);
    if (purchase.status === 'paid')
      return reply.sendPage(<ReceiptPage {...{ account, purchase }} seller={payments.seller} />);
    if (purchase.status === 'cancelled') return reply.sendPage(<CancelledOrderPage {...{ purchase }} />);
    // Stripe's page is only requested when the user wants to go there.
    const next =
      purchase.method === 'hand' ? await payments.resume(account.id, purchase.id, account.email) : null;
    const instructions = next?.kind === 'instructions' ? next.text : null;
    return reply.sendPage(<OrderPage {...{ purchase, instructions }} />);
  });

  app.get<OfId>('/packs/:id/progress', async (request) => {
    const { status } = await purchaseOf(request);
    return { mark: status, is_over: status !== 'open', value: 0, parts: {} };
  });

  app.post('/packs/buyer', async (request, reply) => {
    const { company = '', tax_number = '' } = textFields(request.body);
    const buyer = { company: company.trim(), tax_number: tax_number.trim() };
    if (buyer.company === '' && buyer.tax_number !== '') {
      return packsPage(request, reply, undefined, { buyer, buyerProblem: 'Enter the company as well.' });
    }
    if (Object.values(buyer).some((text) => text.length > maxBuyerLength)) {
      return packsPage(request, reply, undefined, {
        buyer,
        buyerProblem: `At most ${maxBuyerLength} characters.`,
      });
    }
    await payments.setBuyer(viewerOf(request).account.id, buyer.company === '' ? null : buyer);
    return redirectTo(reply, '/dashboard/packs', 'buyer-set');
  });

  app.post<OfId>('/packs/:id/withdraw', async (request, reply) => {
    const { id } = await purchaseOf(request);
    const withdrawn = await payments.withdraw(viewerOf(request).account.id, id);
    return withdrawn
      ? redirectTo(reply, '/dashboard/packs', 'order-withdrawn')
      : redirectTo(reply, pathOf({ id }));
  });

  app.post<OfId>('/packs/:id/pay', async (request, reply) => {
    const purchase = await purchaseOf(request);
    const { id, email } = viewerOf(request).account;
    return onTo(reply, purchase, await payments.resume(id, purchase.id, email));
  });
}
