import { integerText } from '../../../../output/number-text.js';
import { Badge } from '../../../../output/site/status.js';
import { Time } from '../../../../output/site/time.js';
import type { AccountSummary } from '../../../../service/accounts/account-overview.js';
import { maxEmailLength } from '../../../../service/accounts/email-address.js';
import type { Purchase } from '../../../../service/accounts/packs/payments.js';
import type { FormState } from '../../forms.js';
import { AdminLayout } from '../../parts/admin-layout.js';
import { Credits } from '../../parts/amounts.js';
import { PostForm, SearchForm, TextField } from '../../parts/form.js';
import { Moment } from '../../parts/moment.js';
import { Name } from '../../parts/name.js';
import { Details, Empty, Panel } from '../../parts/panel.js';
import { Pager, Table } from '../../parts/table.js';
import { Purchases } from '../packs.js';

function VerificationMark({ verified }: { verified: boolean }) {
  return verified ? <Badge tone="good">Confirmed</Badge> : <Badge tone="plain">Not confirmed</Badge>;
}

interface AccountsProps {
  readonly accounts: readonly AccountSummary[];
  readonly count: number;
  readonly search: string;
  /** Address of the first page, on a later one. */
  readonly first: string | null;
  readonly next: string | null;
}

/** All accounts, newest first. */
export function AccountsPage({ accounts, count, search, first, next }: AccountsProps) {
  return (
    <AdminLayout title="Accounts" lead={`${integerText(count)} ${count === 1 ? 'account' : 'accounts'}.`}>
      <SearchForm action="/admin/accounts" button="Search">
        <TextField
          name="search"
          label="Address contains"
          value={search}
          input={{ type: 'search', maxLength: maxEmailLength, autoComplete: 'off' }}
        />
      </SearchForm>
      <Table
        caption="Accounts, newest first"
        empty={<Empty title="No accounts found" />}
        rows={accounts}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Address',
            heads: true,
            cell: ({ id, email }) => (
              <a href={`/admin/accounts/${id}`}>
                <Name of={email} />
              </a>
            ),
          },
          { title: 'Credits', numeric: true, cell: ({ credits }) => integerText(credits) },
          { title: 'E-mail', cell: VerificationMark },
          { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} none="never" /> },
        ]}
      />
      <Pager first={first} next={next} />
    </AdminLayout>
  );
}

interface AccountProps extends FormState {
  readonly account: AccountSummary;
  readonly keys: number;
  readonly purchases: readonly Purchase[];
}

function AddPack({ account, purchases, values, problems }: AccountProps) {
  const openPurchases = purchases.filter(({ status, method }) => status === 'open' && method === 'hand');
  return (
    <Panel title="Add a pack manually">
      <p>
        For a payment you have received, or credits you give away. It pays the oldest open order of this size,
        or creates one. Either way there is a receipt.
      </p>
      <PostForm
        action={`/admin/accounts/${account.id}/credit`}
        values={values ?? { credits: String(openPurchases.at(-1)?.credits ?? '') }}
        problems={problems}
      >
        <TextField
          name="credits"
          label="Credits"
          input={{ inputMode: 'numeric', required: true, autoComplete: 'off' }}
        />
        <button type="submit">Add the credits</button>
      </PostForm>
    </Panel>
  );
}

/** One account, its orders, and the form that adds a pack. */
export function AccountPage(props: AccountProps) {
  const { account, keys, purchases } = props;
  return (
    <AdminLayout title={account.email} above={[{ title: 'Accounts', href: '/admin/accounts' }]}>
      <div className="columns two">
        <Panel title="Account">
          <Details
            of={[
              ['Balance', <Credits key="credits" amount={account.credits} />],
              ['Address', <VerificationMark key="verified" verified={account.verified} />],
              ['Bought a pack', account.bought ? 'Yes' : 'No'],
              ['Active keys', String(keys)],
              ['Created', <Time key="made" at={account.created_at} />],
              ['Last used', <Moment key="used" at={account.last_used_at} none="never" />],
              ['ID', <code key="id">{account.id}</code>],
            ]}
          />
        </Panel>
        <AddPack {...props} />
      </div>
      <Purchases purchases={purchases} nameOf={({ id }) => <code>{id}</code>} />
    </AdminLayout>
  );
}
