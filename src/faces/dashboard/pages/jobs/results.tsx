import { type FileKind, fileKinds } from '../../../../files/result-files/file-kind.js';
import { Callout } from '../../../../output/site/status.js';
import { Time } from '../../../../output/site/time.js';
import type { JobView } from '../../jobs/job-view.js';
import type { ResultsPreview } from '../../jobs/preview.js';
import { ItemsTable } from '../../parts/item-table.js';
import { Panel } from '../../parts/panel.js';

const kindNames: Readonly<Record<FileKind, string>> = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  xlsx: 'Excel',
  sqlite: 'SQLite',
  parquet: 'Parquet',
};

/** The kinds that most people open come first. */
const byInterest: readonly FileKind[] = ['xlsx', ...fileKinds.filter((kind) => kind !== 'xlsx')];

function Preview({ table, coverage }: ResultsPreview) {
  return (
    <>
      {coverage.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>Preview: the first items and columns.</p>
      <ItemsTable caption="Preview of the results" kind="items preview" table={table} />
    </>
  );
}

/** The results of a job: what they are, how to get them, and the first items. */
export function Results({
  view: { job, results },
  preview,
}: {
  readonly view: JobView;
  readonly preview: ResultsPreview | null;
}) {
  const { id, results_expire_at: until } = job;
  if (results === 'gone') {
    return (
      <Callout kind="note">
        The results were deleted
        {until === null ? (
          ''
        ) : (
          <>
            on <Time at={until} />
          </>
        )}
        . To get them again, run the job again; its calls are charged as usual.
      </Callout>
    );
  }
  const address = `/dashboard/jobs/${id}/results`;
  return (
    <Panel title="Results">
      <p>
        {results === 'whole'
          ? 'Excel, CSV, SQLite and Parquet have one row per item, and the errors. NDJSON has one line per input, in order.'
          : 'The lines that are ready so far, as NDJSON, in the order of the inputs.'}
        {until === null ? null : (
          <>
            {' '}
            The results will be deleted on <Time at={until} />.
          </>
        )}
      </p>
      <div className="row">
        {results === 'whole' ? (
          byInterest.map((kind, at) => (
            <a
              key={kind}
              className={at === 0 ? 'button' : 'button quiet'}
              href={kind === 'ndjson' ? address : `${address}?format=${kind}`}
              download=""
            >
              {at === 0 ? `Download ${kindNames[kind]}` : kindNames[kind]}
            </a>
          ))
        ) : (
          <a className="button" href={address} download="">
            Download the lines so far
          </a>
        )}
      </div>
      {preview === null ? null : <Preview {...preview} />}
    </Panel>
  );
}
