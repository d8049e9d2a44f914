import { endpoints } from '../../../../lib/endpoints.js';
import { brandList } from '../../../../lib/platforms.js';
import { guideNames, guideSummary } from './guides.js';
import { OperationTable } from './operation-pages.js';
import { CodeLink, Page, Prose, Samples, Table } from './parts.js';

/** The way into the documentation. */
export function IndexPage({ base }: { readonly base: string }) {
  return (
    <Page title="Documentation">
      <p>
        Get structured data from public {brandList} pages. Every endpoint is a <code>GET</code> below{' '}
        <code>/v1</code> with its parameters in the query string, and answers{' '}
        <code>{'{"data": …, "meta": …}'}</code>.
      </p>
      <h2>First steps</h2>
      <p>
        With <code>demo=true</code> every endpoint answers sample data, free and without a key:
      </p>
      <Samples
        request={{ address: `/v1/${endpoints[0]?.path}?query=coffee&demo=true`, keyed: false }}
        base={base}
      />
      <p>
        With an API key from the <a href="/dashboard">dashboard</a> in <code>EXTRACT_API_KEY</code>:
      </p>
      <Samples request={{ address: '/v1/account', keyed: true }} base={base} />
      <h2>Guides</h2>
      <Table
        head={['Guide', 'What it is about']}
        rows={guideNames.map((name) => {
          const { title, summary } = guideSummary(name);
          return [
            <a key={name} href={`/docs/guides/${name}`}>
              {title}
            </a>,
            <Prose key="summary" markdown={summary} />,
          ];
        })}
      />
      <h2>Endpoints</h2>
      <Table
        head={['Endpoint', 'What it gives', 'Credits']}
        rows={endpoints.map(({ path, summary, credits }) => [
          <CodeLink key={path} href={`/docs/endpoints/${path}`} name={path} />,
          summary,
          credits,
        ])}
      />
      <h2>Account, jobs and webhooks</h2>
      <OperationTable />
    </Page>
  );
}
