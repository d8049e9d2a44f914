import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { brandOf, type Platform, platforms } from '../../../../lib/platforms.js';
import { integerText } from '../../../output/number-text.js';
import { Code } from '../../../output/site/code.js';
import { StateBadge } from '../../../output/site/state-badge.js';
import { hasPrices, type Pack } from '../../../service/accounts/packs/payments.js';
import type { EndpointReport } from '../../../service/health/health-report.js';
import { callSamples } from '../call-samples.js';
import { useFrame } from '../frame.js';
import { lowestPriceText, priceText, thousandText } from '../parts/amounts.js';
import { endpointOptions } from '../parts/endpoint.js';
import { SearchForm, SelectField } from '../parts/form.js';
import { AnswerTable } from '../parts/item-table.js';
import { WideLayout } from '../parts/layout.js';
import { Panel } from '../parts/panel.js';
import { Table } from '../parts/table.js';

export interface Demo {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly data: unknown;
}

interface LandingProps {
  readonly demo: Demo;
  readonly packs: readonly Pack[];
  readonly trialCredits: number;
  readonly reports: readonly EndpointReport[];
}

function LiveDemo({ demo: { endpoint, params, data } }: Pick<LandingProps, 'demo'>) {
  const samples = callSamples(endpoint, { ...params, demo: true }, useFrame().docsBase);
  return (
    <Panel title="Try it now" aside="sample data: free, no account needed">
      <SearchForm action="/" button="Run">
        <SelectField name="endpoint" label="Endpoint" value={endpoint.path} options={endpointOptions} />
      </SearchForm>
      {samples
        .filter(({ label }) => label === 'curl')
        .map(({ label, text }) => (
          <Code key={label} label="The same call from a shell" text={text} />
        ))}
      <AnswerTable {...{ endpoint, data }} maxRows={5} />
      <details>
        <summary>The answer as JSON</summary>
        <Code label={endpoint.path} text={JSON.stringify(data, null, 2)} tall />
      </details>
    </Panel>
  );
}

function Packs({ packs, trialCredits }: Pick<LandingProps, 'packs' | 'trialCredits'>) {
  return (
    <Panel title="Prices">
      <p>
        {trialCredits > 0 ? `Your first sign-in comes with ${integerText(trialCredits)} free credits. ` : ''}
        Credits never expire. A call that fails is free.
      </p>
      <Table
        caption="Packs of credits"
        rows={packs}
        keyOf={({ credits }) => String(credits)}
        columns={[
          { title: 'Credits', heads: true, cell: ({ credits }) => integerText(credits) },
          { title: 'Price', numeric: true, cell: priceText },
          { title: 'Per 1,000 credits', numeric: true, cell: (pack) => thousandText(pack) ?? '' },
        ]}
      />
    </Panel>
  );
}

/** “Google Maps place: hours” → “Place: hours”, below a heading that names the platform. */
function withoutBrand(summary: string, platform: Platform): string {
  const text = summary.replace(`${brandOf(platform)} `, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A platform's endpoints, with their health if known; it is unknown on a new server. */
function PlatformTable({
  platform,
  packs,
  reports,
}: Pick<LandingProps, 'packs' | 'reports'> & { readonly platform: Platform }) {
  const states = new Map(reports.map(({ endpoint, state }) => [endpoint, state]));
  const rows = endpoints.filter((endpoint) => endpoint.platform === platform);
  const stateOf = ({ path }: Endpoint) => states.get(path) ?? 'unknown';
  return (
    <>
      <h3>
        {brandOf(platform)} <code className="muted">{platform}</code>
      </h3>
      <Table
        caption={`Endpoints of ${brandOf(platform)} and their prices`}
        rows={rows}
        keyOf={({ path }) => path}
        columns={[
          {
            title: 'Endpoint',
            heads: true,
            cell: ({ path }) => <a href={`/docs/endpoints/${path}`}>{path}</a>,
          },
          {
            title: 'What you get',
            cell: ({ summary }) => <span className="prose">{withoutBrand(summary, platform)}</span>,
          },
          rows.some((endpoint) => stateOf(endpoint) !== 'unknown')
            ? { title: 'State', cell: (endpoint) => <StateBadge state={stateOf(endpoint)} /> }
            : null,
          { title: 'Credits per call', numeric: true, cell: ({ credits }) => integerText(credits) },
          hasPrices(packs)
            ? {
                title: '1,000 calls from',
                numeric: true,
                cell: ({ credits }) => lowestPriceText(packs, credits * 1000) ?? '',
              }
            : null,
        ]}
      />
    </>
  );
}

function Endpoints(props: Pick<LandingProps, 'packs' | 'reports'>) {
  return (
    <Panel title="Endpoints" aside={<a href="/status">Status and history</a>}>
      {platforms.map((platform) => (
        <PlatformTable key={platform} platform={platform} {...props} />
      ))}
    </Panel>
  );
}

/** The start page for visitors: a sample answer, prices, and the sign-in. */
export function LandingPage(props: LandingProps) {
  const { trialCredits } = props;
  const { sells } = useFrame();
  return (
    <WideLayout
      title="Structured data from public pages"
      description="Get structured data from public Google Maps, LinkedIn, Instagram and TikTok pages: one API, documented fields, stable error codes."
      lead="One API for the public pages of Google Maps, LinkedIn, Instagram and TikTok. Every answer has the documented fields, every failure has a stable code, and failures are free."
      actions={
        <a className="button" href="/sign-in">
          {sells && trialCredits > 0 ? `Sign in for ${integerText(trialCredits)} free credits` : 'Sign in'}
        </a>
      }
    >
      <LiveDemo {...props} />
      {sells && <Packs {...props} />}
      <Endpoints {...props} />
    </WideLayout>
  );
}
