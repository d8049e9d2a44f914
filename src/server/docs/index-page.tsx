import { endpoints } from '../../../lib/endpoints.js';
import { maxInputs } from '../../jobs/job-limits.js';
import { OperationTable } from './operation-pages.js';
import { CodeLink, Page, Preformatted, Table } from './parts.js';

const firstSteps = `curl '/v1/${endpoints[0]?.path ?? ''}?demo=true'
curl -H 'Authorization: Bearer <API_KEY>' '/v1/account'`;

/** The way into the documentation. */
export function IndexPage() {
  return (
    <Page title="Documentation">
      <p>
        Structured data from public, logged-out pages of four platforms. Every endpoint is a <code>GET</code>{' '}
        below <code>/v1</code> with its parameters in the query string, and answers{' '}
        <code>{'{"data": …, "meta": …}'}</code>.
      </p>
      <h2>First steps</h2>
      <Preformatted text={firstSteps} />
      <p>
        With <code>demo=true</code> every endpoint answers sample data, without a key and for nothing.
      </p>
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
      <p>
        A job asks one endpoint about up to {maxInputs.toLocaleString('en-US')} inputs. When it has finished,
        it is posted to its <code>webhook_url</code>: the header <code>Extract-Signature</code> is{' '}
        <code>t=…,v1=…</code>, where <code>v1</code> is the HMAC-SHA256 of <code>t</code>, a dot and the body
        under the signing secret of the account, in hex. Refuse what differs, and a <code>t</code> more than
        300 seconds away from now. For a day after a new secret was made the header holds two{' '}
        <code>v1</code>, the newest first: take a delivery when one of them matches, as Stripe’s receivers do. <code>Extract-Delivery</code> is the same for every attempt of one delivery.
      </p>
      <h2>Limits</h2>
      <p>
        Answers tell the limit they were counted under in <code>RateLimit-Policy</code> and{' '}
        <code>RateLimit</code>; a refusal with status 429 tells in <code>Retry-After</code> how many seconds
        to wait. URLs are at most 8 KiB long, headers 16 KiB together.
      </p>
    </Page>
  );
}
