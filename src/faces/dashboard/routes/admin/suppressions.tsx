import type { FastifyInstance, FastifyReply } from 'fastify';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { parseSubject, subjectText } from '../../../../../lib/suppressions/subject.js';
import type { Suppression } from '../../../../../lib/suppressions/suppressions.js';
import { Time } from '../../../../output/site/time.js';
import { type DashboardContext, redirectTo } from '../../context.js';
import { type FormState, textFields } from '../../forms.js';
import { AdminLayout } from '../../parts/admin-layout.js';
import { PostForm, QuietSubmit, TextField } from '../../parts/form.js';
import { Empty, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

interface SuppressionsProps extends FormState {
  readonly suppressions: readonly Suppression[];
}

function RemoveButton({ subject }: { readonly subject: string }) {
  return (
    <PostForm className="one-button" action="/admin/suppressions/remove">
      <input type="hidden" name="subject" value={subject} />
      <QuietSubmit>Remove</QuietSubmit>
    </PostForm>
  );
}

function SuppressionsPage({ suppressions, ...form }: SuppressionsProps) {
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
        <PostForm action="/admin/suppressions" {...form}>
          <TextField
            name="subject"
            label="Subject"
            hint="The address of the page, or platform and name: tiktok:@handle, linkedin:in/name, maps:ChIJ…, maps:Name of a reviewer."
            input={{ required: true, maxLength: 1000, autoComplete: 'off', spellCheck: false }}
          />
          <button type="submit">Suppress</button>
        </PostForm>
      </Panel>
      <Table
        empty={<Empty title="No suppressed subjects" />}
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
    </AdminLayout>
  );
}

const address = '/admin/suppressions';

/** The subjects that are withheld from everyone. */
export function addSuppressionRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { suppressions } = context;

  async function page(reply: FastifyReply, again?: FormState) {
    return reply.sendPage(
      <SuppressionsPage suppressions={await suppressions.list()} {...again} />,
      again === undefined ? 200 : 400,
    );
  }

  app.get('/suppressions', async (_, reply) => page(reply));

  app.post('/suppressions', async (request, reply) => {
    const { subject: text = '' } = textFields(request.body);
    try {
      const subject = parseSubject(text);
      await suppressions.add(subject);
      request.log.info({ subject: subjectText(subject) }, 'the operator suppressed a subject');
      return redirectTo(reply, address, 'left-out');
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code !== 'invalid_parameter') throw error;
      return page(reply, { values: { subject: text }, problems: { subject: error.message } });
    }
  });

  app.post('/suppressions/remove', async (request, reply) => {
    const { subject: text = '' } = textFields(request.body);
    const subject = parseSubject(text);
    await suppressions.remove(subject);
    request.log.info({ subject: subjectText(subject) }, 'the operator stopped suppressing a subject');
    return redirectTo(reply, address, 'left-out-no-more');
  });
}
