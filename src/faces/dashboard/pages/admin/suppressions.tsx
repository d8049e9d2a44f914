import { subjectText } from '../../../../../lib/suppressions/subject.js';
import type { Suppression } from '../../../../../lib/suppressions/suppressions.js';
import { Time } from '../../../../output/site/time.js';
import { AdminLayout } from '../../parts/admin-layout.js';
import { PostForm, TextField } from '../../parts/form.js';
import { Empty, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

interface SuppressionsProps {
  readonly suppressions: readonly Suppression[];
  /** A text that is not a valid subject, and why. */
  readonly typed?: string;
  readonly problem?: string;
}

function RemoveButton({ subject }: { readonly subject: string }) {
  return (
    <PostForm className="one-button" action="/admin/suppressions/remove">
      <input type="hidden" name="subject" value={subject} />
      <button className="quiet" type="submit">
        Remove
      </button>
    </PostForm>
  );
}

export function SuppressionsPage({ suppressions, typed, problem }: SuppressionsProps) {
  return (
    <AdminLayout
      title="Suppressed"
      lead={
        <>
          People, places and other subjects whose pages are not requested and whose data is not returned, not
          even in lists. Stored data is hidden until <code>extract forget</code> deletes it.
        </>
      }
    >
      <Panel title="Suppress a subject">
        <PostForm action="/admin/suppressions">
          <TextField
            name="subject"
            label="Subject"
            hint="The address of the page, or platform and name: tiktok:@handle, linkedin:in/name, maps:ChIJ…, maps:Name of a reviewer."
            value={typed}
            problem={problem}
            input={{ required: true, maxLength: 1000, autoComplete: 'off', spellCheck: false }}
          />
          <button type="submit">Suppress</button>
        </PostForm>
      </Panel>
      {suppressions.length === 0 ? (
        <Empty title="No suppressed subjects" />
      ) : (
        <Table
          caption="Suppressed, by platform"
          rows={suppressions}
          keyOf={subjectText}
          columns={[
            { title: 'Subject', heads: true, cell: (one) => <code>{subjectText(one)}</code> },
            { title: 'Since', cell: ({ addedAt }) => <Time at={new Date(addedAt).toISOString()} /> },
            {
              title: 'Remove',
              silent: true,
              cell: (one) => <RemoveButton subject={subjectText(one)} />,
            },
          ]}
        />
      )}
    </AdminLayout>
  );
}
