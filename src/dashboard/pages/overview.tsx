import type { Account } from '../../accounts/accounts.js';
import type { Frame } from '../context.js';
import { Credits } from '../parts/credits.js';
import { Layout } from '../parts/layout.js';
import { Panel } from '../parts/panel.js';

/** How the account stands. */
export function OverviewPage({ frame, account }: { frame: Frame; account: Account }) {
  return (
    <Layout frame={frame} title="Overview">
      <Panel title="Balance">
        <Credits amount={account.credits} />
      </Panel>
    </Layout>
  );
}
