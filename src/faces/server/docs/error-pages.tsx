import { exitStatus } from '../../../../lib/errors/catalogue.js';
import { catalogue, type ErrorCode } from '../../../../lib/errors/extract-error.js';
import { CodeLink, Page, Table } from './parts.js';

const codes = Object.keys(catalogue) as ErrorCode[];

/** The list of all codes. */
export function ErrorsPage() {
  const rows = codes.map((code) => {
    const { status, type, summary } = catalogue[code];
    return [<CodeLink key={code} href={`/docs/errors/${code}`} name={code} />, status, type, summary];
  });
  return (
    <Page title="Errors">
      <p>
        Every error is an object with <code>type</code>, <code>code</code>, <code>message</code>,{' '}
        <code>docs</code> and <code>request_id</code>. Codes are stable; messages may change. A call that
        fails is free: the charge is refunded.
      </p>
      <Table head={['Code', 'Status', 'Type', 'Meaning']} rows={rows} />
    </Page>
  );
}

/** The page that `error.docs` of a code leads to. */
export function ErrorPage({ code }: { readonly code: ErrorCode }) {
  const { status, type, summary, next } = catalogue[code];
  return (
    <Page title={code}>
      <p>{summary}</p>
      <h2>What to do</h2>
      <p>{next}</p>
      <h2>Where it shows</h2>
      <Table
        head={['Where', 'As']}
        rows={[
          ['HTTP status', status],
          [<code key="type">error.type</code>, type],
          ['Exit status of the command line', exitStatus[type]],
        ]}
      />
    </Page>
  );
}
