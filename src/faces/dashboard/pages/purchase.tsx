import { integerText } from '../../../output/number-text.js';
import { Time } from '../../../output/site/time.js';
import type { Account } from '../../../service/accounts/accounts.js';
import type { Purchase } from '../../../service/accounts/packs/payments.js';
import { useFrame } from '../frame.js';
import { priceText } from '../parts/amounts.js';
import { ActionButton } from '../parts/form.js';
import { Layout, packsPage } from '../parts/layout.js';
import { Details, Panel } from '../parts/panel.js';
import { PurchaseBadge } from './packs.js';

const above = [packsPage] as const;

interface PurchaseProps {
  readonly account: Account;
  readonly purchase: Purchase;
}

const ways: Readonly<Record<Purchase['method'], string>> = {
  hand: 'Confirmed by the operator',
  stripe: 'Card, through Stripe',
};

/** The receipt of a purchase, designed for printing. */
export function ReceiptPage({ account, purchase, seller }: PurchaseProps & { readonly seller: string }) {
  const { id, credits, method, created_at, paid_at, receipt, buyer } = purchase;
  return (
    <Layout
      title={receipt === null ? 'Receipt' : `Receipt ${receipt}`}
      above={above}
      actions={<span data-print="" />}
      lead={`${integerText(credits)} credits for this server, ${new URL(useFrame().docsBase).host}.`}
    >
      <Panel title={priceText(purchase)} aside={<PurchaseBadge state="paid" />}>
        <Details
          of={[
            ['Receipt number', String(receipt ?? '')],
            ['Order', <code key="id">{id}</code>],
            seller === ''
              ? null
              : [
                  'Sold by',
                  <span key="seller" className="instructions">
                    {seller}
                  </span>,
                ],
            ['Sold to', buyer === null ? account.email : `${buyer.company}, ${account.email}`],
            buyer === null || buyer.tax_number === '' ? null : ['Buyer’s tax number', buyer.tax_number],
            ['Item', `${integerText(credits)} credits`],
            ['Price', priceText(purchase)],
            ['Paid', <Time key="paid" at={paid_at ?? created_at} />],
            ['Payment', ways[method]],
            ['Ordered', <Time key="made" at={created_at} />],
          ]}
        />
      </Panel>
      <p className="remark">
        Credits do not expire. You spend them on calls to this server; failed calls are free.
      </p>
    </Layout>
  );
}

/** An unpaid order, and how to pay it; `instructions` if the operator takes the payment. */
export function OrderPage({
  purchase,
  instructions,
}: Omit<PurchaseProps, 'account'> & { readonly instructions: string | null }) {
  const { id, credits, created_at } = purchase;
  return (
    <Layout title={`Order of ${integerText(credits)} credits`} above={above}>
      <section className="panel" data-live={`/dashboard/packs/${id}/progress`} data-mark={purchase.status}>
        <header>
          <h2>{instructions === null ? 'Pay through Stripe' : 'How to pay'}</h2>
          <div className="aside">
            <PurchaseBadge state="open" />
          </div>
        </header>
        {instructions === null ? (
          <>
            <p>
              Once you have paid, there is nothing left to do: the payment is confirmed within moments, with
              some methods within a few days.
              <span className="without-script">
                {' '}
                <a href={`/dashboard/packs/${id}`}>Reload</a>
              </span>
            </p>
            <ActionButton action={`/dashboard/packs/${id}/pay`}>Go to the payment page</ActionButton>
          </>
        ) : (
          <p className="instructions">{instructions}</p>
        )}
        <Details
          of={[
            ['Order', <code key="id">{id}</code>],
            ['Price', priceText(purchase)],
            ['Credits', integerText(credits)],
            ['Created', <Time key="made" at={created_at} />],
          ]}
        />
        <ActionButton kind="quiet" action={`/dashboard/packs/${id}/withdraw`}>
          Withdraw the order
        </ActionButton>
      </section>
    </Layout>
  );
}

export function CancelledOrderPage({ purchase }: Omit<PurchaseProps, 'account'>) {
  return (
    <Layout
      title={`Order of ${integerText(purchase.credits)} credits`}
      above={above}
      lead="Cancelled: you paid nothing, and no credits were added."
    >
      <p>
        <a href="/dashboard/packs">Choose a pack again</a>
      </p>
    </Layout>
  );
}
