import type { ReactNode } from 'react';
import { integerText } from '../../../output/number-text.js';
import { Callout, stateBadge } from '../../../output/site/status.js';
import { Time } from '../../../output/site/time.js';
import type { Account } from '../../../service/accounts/accounts.js';
import {
  type Buyer,
  maxBuyerLength,
  type Pack,
  type PaymentMethod,
  type Purchase,
} from '../../../service/accounts/packs/payments.js';
import { priceText, thousandText } from '../parts/amounts.js';
import { PostForm, QuietSubmit, TextField } from '../parts/form.js';
import { Layout } from '../parts/layout.js';
import { Panel } from '../parts/panel.js';
import { Table } from '../parts/table.js';

export const PurchaseBadge = stateBadge<Purchase['status']>({
  open: ['busy', 'Not paid'],
  paid: ['good', 'Paid'],
  cancelled: ['plain', 'Cancelled'],
});

function PackCard({ pack, method }: { pack: Pack; method: PaymentMethod }) {
  const { credits } = pack;
  return (
    <section className="panel pack">
      <h2>
        {integerText(credits)} <small>credits</small>
      </h2>
      <p className="price">
        {priceText(pack)}
        {thousandText(pack) === null ? null : (
          <span className="muted">{`${thousandText(pack)} per 1,000 credits`}</span>
        )}
      </p>
      <PostForm className="one-button" action="/dashboard/packs">
        <button type="submit" name="credits" value={credits}>
          {method === 'stripe' ? 'Buy' : 'Order'}
          <span className="unseen"> {integerText(credits)} credits</span>
        </button>
      </PostForm>
    </section>
  );
}

interface PurchasesProps {
  readonly purchases: readonly Purchase[];
  readonly nameOf: (purchase: Purchase) => ReactNode;
}

export function Purchases({ purchases, nameOf }: PurchasesProps) {
  if (purchases.length === 0) return null;
  return (
    <Panel title="Orders and receipts">
      <Table
        caption="Orders, newest first"
        rows={purchases}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Order', heads: true, cell: nameOf },
          { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Status', cell: ({ status }) => <PurchaseBadge state={status} /> },
          { title: 'Price', numeric: true, cell: priceText },
          { title: 'Credits', numeric: true, cell: ({ credits }) => integerText(credits) },
        ]}
      />
    </Panel>
  );
}

function BuyerForm({ buyer, problem }: { buyer: Buyer | null; problem?: string | undefined }) {
  return (
    <Panel title="Your company on receipts" aside="optional">
      <PostForm
        action="/dashboard/packs/buyer"
        values={buyer === null ? {} : { ...buyer }}
        problems={problem === undefined ? {} : { company: problem }}
      >
        <div className="fields">
          <TextField
            name="company"
            label="Company"
            input={{ maxLength: maxBuyerLength, autoComplete: 'organization' }}
          />
          <TextField
            name="tax_number"
            label="Tax number"
            input={{ maxLength: maxBuyerLength, autoComplete: 'off' }}
          />
        </div>
        <p className="hint">Shown on future receipts. Existing receipts do not change.</p>
        <QuietSubmit>Save</QuietSubmit>
      </PostForm>
    </Panel>
  );
}

interface PacksProps {
  readonly account: Account;
  readonly packs: readonly Pack[];
  readonly method: PaymentMethod;
  readonly purchases: readonly Purchase[];
  readonly buyer: Buyer | null;
  readonly problem?: string | undefined;
  /** The problem with the company name. */
  readonly buyerProblem?: string | undefined;
}

export function PacksPage(props: PacksProps) {
  const { account, packs, method, purchases, buyer, problem, buyerProblem } = props;
  return (
    <Layout
      title="Packs"
      lead={`Credits do not expire, and failed calls are free. Your balance is ${integerText(account.credits)} credits.`}
    >
      {problem === undefined ? null : <Callout kind="problem">{problem}</Callout>}
      <div className="packs">
        {packs.map((pack) => (
          <PackCard key={pack.credits} {...{ pack, method }} />
        ))}
      </div>
      <p className="remark">
        {method === 'stripe'
          ? 'You pay on Stripe’s page; we never see your card number. The credits are added as soon as the payment is confirmed.'
          : 'An order is not binding: the next page says how to pay. The credits are added once the operator of this server has confirmed the payment.'}{' '}
        Your first pack unlocks <code>fresh=true</code>.
      </p>
      <Purchases
        purchases={purchases}
        nameOf={({ id, receipt }) => (
          <a href={`/dashboard/packs/${id}`}>
            {receipt === null ? 'Order' : `Receipt ${receipt}`} <code>{id}</code>
          </a>
        )}
      />
      <BuyerForm buyer={buyer} problem={buyerProblem} />
    </Layout>
  );
}
