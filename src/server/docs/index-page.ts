import { endpoints } from '../../../lib/endpoints.js';
import { html } from './html.js';
import { page, table } from './layout.js';
import { operationTable } from './operation-pages.js';

/** The way into the documentation. */
export function indexPage(): string {
  return page(
    'Documentation',
    html`<p>Structured data from public, logged-out pages of four platforms. Every endpoint is a <code>GET</code> below <code>/v1</code> with its parameters in the query string, and answers <code>{"data": …, "meta": …}</code>.</p>
<h2>First steps</h2>
<pre tabindex="0"><code>curl '/v1/${endpoints[0]?.path ?? ''}?demo=true'
curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '/v1/account'</code></pre>
<p>With <code>demo=true</code> every endpoint answers sample data, without a key and for nothing.</p>
<h2>Endpoints</h2>
${table(
  ['Endpoint', 'What it gives', 'Credits'],
  endpoints.map(({ path, summary, credits }) => [
    html`<a href="/docs/endpoints/${path}"><code>${path}</code></a>`,
    summary,
    credits,
  ]),
)}
<h2>Account, jobs and webhooks</h2>
${operationTable()}
<p>A job asks one endpoint about up to 10,000 inputs. When it has finished, it is posted to its <code>webhook_url</code>: the header <code>Extract-Signature</code> is <code>t=…,v1=…</code>, where <code>v1</code> is the HMAC-SHA256 of <code>t</code>, a dot and the body under the signing secret of the account, in hex. Refuse what differs, and a <code>t</code> more than 300 seconds away from now; for a day after a new secret was made there are two <code>v1</code>, of which one must match. <code>Extract-Delivery</code> is the same for every attempt of one delivery.</p>
<h2>Limits</h2>
<p>Answers tell the limit they were counted under in <code>RateLimit-Policy</code> and <code>RateLimit</code>; a refusal with status 429 tells in <code>Retry-After</code> how many seconds to wait. URLs are at most 8 KiB long, headers 16 KiB together.</p>`,
  );
}
