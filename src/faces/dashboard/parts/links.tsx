import { Time } from '../../../output/site/time.js';
import type { LinkKind, SharedLink } from '../../../service/jobs/links/link-objects.js';
import { ActionButton } from './form.js';
import { Moment } from './moment.js';
import { Empty, Panel } from './panel.js';
import { Table } from './table.js';

const words: Readonly<Record<LinkKind, { readonly name: string; readonly create: string }>> = {
  table: { name: 'Table (CSV)', create: 'Create a table link' },
  feed: { name: 'Feed (Atom, JSON Feed)', create: 'Create a feed link' },
};

/** The links to a job or schedule, and the forms that create and revoke them. */
export function LinksPanel({
  path,
  kinds,
  links,
}: {
  /** The address of the page about the links: `/dashboard/jobs/job_…/links`. */
  readonly path: string;
  readonly kinds: readonly LinkKind[];
  readonly links: readonly SharedLink[];
}) {
  return (
    <Panel title="Shared links">
      <div className="row">
        {kinds.map((kind) => (
          <ActionButton key={kind} action={`${path}/${kind}`}>
            {words[kind].create}
          </ActionButton>
        ))}
      </div>
      <Table
        empty={
          <Empty title="No links">
            <p>A link is a URL that can only read this, without a key: for spreadsheets and feed readers.</p>
          </Empty>
        }
        caption="Shared links, newest first"
        rows={links}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Link', heads: true, cell: ({ kind }) => words[kind].name },
          { title: 'URL', cell: ({ kind, prefix }) => <code>{`/${kind}s/${prefix}…`}</code> },
          { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'Last read', cell: ({ last_read_at }) => <Moment at={last_read_at} none="not yet" /> },
          {
            title: 'Revoke',
            silent: true,
            cell: ({ id, prefix }) => (
              <ActionButton action={`${path}/${id}/revoke`} kind="danger">
                Revoke<span className="unseen"> {prefix}</span>
              </ActionButton>
            ),
          },
        ]}
      />
    </Panel>
  );
}
