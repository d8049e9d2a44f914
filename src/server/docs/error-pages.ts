import { exitStatus } from '../../../lib/errors/exit-status.js';
import { catalogue, type ErrorCode } from '../../../lib/errors/extract-error.js';
import { html } from './html.js';
import { page, table } from './layout.js';

const codes = Object.keys(catalogue) as ErrorCode[];

/** The list of all codes. */
export function errorsPage(): string {
  return page(
    'Errors',
    html`<p>Every error is an object with <code>type</code>, <code>code</code>, <code>message</code>, <code>docs</code> and <code>request_id</code>. Codes are stable; messages may change. A call that fails costs nothing: what was charged is given back.</p>
${table(
  ['Code', 'Status', 'Type', 'Meaning'],
  codes.map((code) => {
    const { status, type, summary } = catalogue[code];
    return [html`<a href="/docs/errors/${code}"><code>${code}</code></a>`, status, type, summary];
  }),
)}`,
  );
}

/** The page that `error.docs` of a code leads to. */
export function errorPage(code: ErrorCode): string {
  const { status, type, summary, next } = catalogue[code];
  return page(
    code,
    html`<p>${summary}</p>
<h2>What to do</h2>
<p>${next}</p>
<h2>Where it shows</h2>
${table(
  ['Where', 'As'],
  [
    ['HTTP status', status],
    [html`<code>error.type</code>`, type],
    ['Exit status of the command line', exitStatus[type]],
  ],
)}`,
  );
}
