import { type FileKind, fileKinds } from '../../../../files/result-files/file-kind.js';
import { Notice } from '../../../../output/site/status.js';
import { Time } from '../../../../output/site/time.js';
import type { JobView } from '../../jobs/job-view.js';
import type { ResultsPreview } from '../../jobs/preview.js';
import { Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

/** What people call the kinds. */
const kindNames: Readonly<Record<FileKind, string>> = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  xlsx: 'Excel',
  sqlite: 'SQLite',
  parquet: 'Parquet',
};

interface PreviewRow {
  readonly cells: readonly string[];
  readonly at: number;
}

/** Long texts stand below their title on a narrow screen. */
const maxInline = 24;

function PreviewCell({ text }: { text: string }) {
  return text.length > maxInline ? <span className="prose">{text}</span> : text;
}

function Preview({ titles, rows }: ResultsPreview) {
  return (
    <>
      <p>Preview: the first items and columns.</p>
      <Table<PreviewRow>
        caption="Preview of the results"
        kind="preview"
        rows={rows.map((cells, at) => ({ cells, at }))}
        keyOf={({ at }: PreviewRow) => String(at)}
        columns={titles.map((title, at) => ({
          title,
          heads: at === 0,
          cell: ({ cells }: PreviewRow) => <PreviewCell text={cells[at] ?? ''} />,
        }))}
      />
    </>
  );
}

/** The results of a job: what they are, how to have them, and how they begin. */
export function Results({
  standing: { job, results },
  preview,
}: {
  readonly standing: JobView;
  readonly preview: ResultsPreview | null;
}) {
  const { id, results_expire_at: until } = job;
  if (results === 'gone') {
    return (
      <Notice kind="note">
        The results were deleted seven days after the job finished. To get them again, run the job again; its
        calls are charged as usual.
      </Notice>
    );
  }
  const address = `/dashboard/jobs/${id}/results`;
  return (
    <Panel title="Results">
      <p>
        {results === 'whole'
          ? 'NDJSON has one line for each input, in order: '
          : 'The lines that are ready so far, as NDJSON, in the order of the inputs: '}
        its <code>input</code> and either <code>data</code> or <code>error</code>.
        {results === 'whole' ? ' The other formats have one row for each item, and the errors.' : ''}
        {until === null ? null : (
          <>
            {' '}
            The results are kept until <Time at={until} />.
          </>
        )}
      </p>
      <div className="row">
        <a className="button" href={address} download="">
          {results === 'whole' ? 'Download NDJSON' : 'Download the lines so far'}
        </a>
        {results === 'whole'
          ? fileKinds.slice(1).map((kind) => (
              <a key={kind} className="button quiet" href={`${address}?format=${kind}`} download="">
                {kindNames[kind]}
              </a>
            ))
          : null}
      </div>
      {preview === null ? null : <Preview {...preview} />}
    </Panel>
  );
}
