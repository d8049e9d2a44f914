import type { UsageRow } from '../../../../lib/ledger/usage-row.js';
import { integerText } from '../../../output/number-text.js';
import { Code } from '../../../output/site/code.js';
import type { Account } from '../../../service/accounts/accounts.js';
import type { EndpointReport } from '../../../service/health/health-report.js';
import { firstCurl } from '../first-call.js';
import { useFrame } from '../frame.js';
import { sizeText } from '../parts/amounts.js';
import { CallsTable } from '../parts/calls-table.js';
import { EndpointChart, TimeChart } from '../parts/charts.js';
import { TroubleCallout } from '../parts/endpoint.js';
import { Layout } from '../parts/layout.js';
import { Figures, Panel } from '../parts/panel.js';
import type { Spend } from '../spend.js';

interface OverviewProps {
  readonly account: Account;
  readonly spend: Spend;
  readonly failures: readonly UsageRow[];
  readonly hasKey: boolean;
  /** Bytes of results and inputs, and the limit. */
  readonly stored: { readonly bytes: number; readonly limit: number };
  readonly reports: readonly EndpointReport[];
}

function AccountFigures({
  account: { credits, bought },
  spend: { total },
  stored: { bytes, limit },
}: Pick<OverviewProps, 'account' | 'spend' | 'stored'>) {
  const { sells } = useFrame();
  return (
    <Figures
      of={[
        {
          name: 'Balance',
          value: integerText(credits),
          note: bought ? 'credits, which never expire' : sells ? 'trial credits' : 'credits',
        },
        { name: 'Spent in 30 days', value: integerText(total.credits), note: 'credits' },
        {
          name: 'Calls in 30 days',
          value: integerText(total.calls),
          note: total.failed === 0 ? 'none failed' : `${integerText(total.failed)} failed, not charged`,
        },
        {
          name: 'Stored',
          value: sizeText(bytes),
          note: `results and inputs${Number.isFinite(limit) ? `, limit ${sizeText(limit)}` : ''}`,
        },
      ]}
    />
  );
}

function FirstSteps({ hasKey }: Pick<OverviewProps, 'hasKey'>) {
  const { docsBase } = useFrame();
  return (
    <Panel title="First steps">
      <ol className="steps">
        <li>
          <h3>See a sample answer</h3>
          <p>
            Sample data, free and without a key. Or try any endpoint{' '}
            <a href="/dashboard/playground">in the playground</a>.
          </p>
          <Code
            label="A call in demo mode"
            text={`curl '${docsBase}/v1/photosocial/profile?username=nasa&demo=true'`}
          />
        </li>
        <li>
          <h3>{hasKey ? 'You have a key' : 'Create a key'}</h3>
          <p>
            {hasKey ? 'Create more, or revoke one: ' : 'Its secret is shown once: '}
            <a href="/dashboard/keys">API keys</a>.
          </p>
        </li>
        <li>
          <h3>Make a call with it</h3>
          <p>
            Set <code>EXTRACT_API_KEY</code> to your key first. After that, this page shows what you spend,
            and Requests lists every call.
          </p>
          <Code label="A call with a key" text={firstCurl(docsBase)} />
        </li>
      </ol>
    </Panel>
  );
}

/** The account at a glance: balance, spend, recent failures; or first steps before the first call. */
export function OverviewPage({ account, spend, failures, hasKey, stored, reports }: OverviewProps) {
  return (
    <Layout title="Overview">
      <TroubleCallout reports={reports} />
      <AccountFigures account={account} spend={spend} stored={stored} />
      {spend.total.calls === 0 ? (
        <FirstSteps hasKey={hasKey} />
      ) : (
        <>
          <Panel title="Credits by day" aside={<a href="/dashboard/usage">Usage</a>}>
            <TimeChart spend={spend} />
          </Panel>
          <Panel title="Credits by endpoint" aside="last 30 days">
            <EndpointChart spend={spend} />
          </Panel>
        </>
      )}
      {failures.length === 0 ? null : (
        <Panel title="Recent failures" aside={<a href="/dashboard/requests?status=failed">View all</a>}>
          <CallsTable caption="Recent failures" calls={failures} />
        </Panel>
      )}
    </Layout>
  );
}
