import { endpoints } from '../../../../lib/endpoints.js';
import { catalogue } from '../../../../lib/errors/extract-error.js';
import { Code } from '../../../output/site/code.js';
import { Callout } from '../../../output/site/status.js';
import type { ApiKey } from '../../../service/accounts/account-objects.js';

import { firstCurl } from '../first-call.js';
import { useFrame } from '../frame.js';
import { type HistoryFilters, historyAddress } from '../history.js';
import { RequestsTable } from '../parts/calls-table.js';
import { FilterForm, SearchForm, SelectField, TextField } from '../parts/form.js';
import { Layout } from '../parts/layout.js';
import { Empty, Panel } from '../parts/panel.js';
import { Pager } from '../parts/table.js';
import type { RequestEntry } from '../request-log.js';

const any = { value: '', label: 'Any' };

function Filters({ filters, keys }: { filters: HistoryFilters; keys: readonly ApiKey[] }) {
  const { endpoint, status, key, job, code, from, to } = filters;
  const keyOptions = keys.map(({ id, name, revoked_at }) => ({
    value: id,
    label: revoked_at === null ? name : `${name} (revoked)`,
  }));
  const results = [
    any,
    'ok',
    { value: 'failed', label: 'failed or refused' },
    { value: 'refused', label: 'refused before the charge' },
  ];
  const paths = endpoints.map(({ path }) => path);
  return (
    <FilterForm action="/dashboard/requests" button="Filter" all="All requests">
      <SelectField name="endpoint" label="Endpoint" value={endpoint} options={[any, ...paths]} />
      <SelectField name="status" label="Result" value={status} options={results} />
      <SelectField name="code" label="Error code" value={code} options={[any, ...Object.keys(catalogue)]} />
      <SelectField name="key" label="Key" value={key} options={[any, ...keyOptions]} />
      <TextField name="job" label="Job" value={job} input={{ placeholder: 'job_…', spellCheck: false }} />
      <TextField name="from" label="From" value={from} input={{ type: 'date' }} />
      <TextField name="to" label="To" value={to} input={{ type: 'date' }} />
    </FilterForm>
  );
}

interface RequestsProps {
  readonly filters: HistoryFilters;
  readonly keys: readonly ApiKey[];
  readonly entries: readonly RequestEntry[];
  readonly next: string | null;
  readonly isFirst: boolean;
  /** An ID that is not among this account's calls. */
  readonly unknown?: string | undefined;
}

/** The calls of an account, newest first, with filters. */
export function RequestsPage({ filters, keys, entries, next, isFirst, unknown }: RequestsProps) {
  const { docsBase } = useFrame();
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Layout
      title="Requests"
      lead="Every call with its result, duration and charge, including refused ones. A batch job is one row."
    >
      {unknown === undefined ? null : (
        <Callout kind="problem">This account has no request with that ID. Demo calls are not listed.</Callout>
      )}
      <Panel title="Find">
        <SearchForm action="/dashboard/requests" button="Find">
          <TextField
            name="id"
            label="Find a request by ID"
            value={unknown}
            input={{ required: true, maxLength: 100, placeholder: 'req_…', spellCheck: false }}
          />
        </SearchForm>
        <details open={filtered}>
          <summary>Filter</summary>
          <Filters filters={filters} keys={keys} />
        </details>
      </Panel>
      {entries.length > 0 ? (
        <RequestsTable caption="Requests, newest first" entries={entries} />
      ) : filtered || !isFirst ? (
        <Empty title="No request matches">
          <p>
            {next === null ? null : 'No match so far; older requests may match. '}
            Change the filter, or see <a href="/dashboard/requests">all requests</a>.
          </p>
        </Empty>
      ) : (
        <Empty title="No calls yet">
          <p>
            The calls you make with <a href="/dashboard/keys">a key</a> appear here. For example:
          </p>
          <Code label="A call" text={firstCurl(docsBase)} />
        </Empty>
      )}
      <Pager
        first={isFirst ? null : historyAddress(filters, null)}
        next={next === null ? null : historyAddress(filters, next)}
      />
    </Layout>
  );
}
