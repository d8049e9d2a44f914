import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { parseSubject, subjectText } from '../../../../../lib/suppressions/subject.js';
import { type DashboardContext, redirectTo } from '../../context.js';
import { textFields } from '../../forms.js';
import { SuppressionsPage } from '../../pages/admin/suppressions.js';

const address = '/admin/suppressions';

/** The subjects that are withheld from everyone. */
export function addSuppressionRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { suppressions } = context;

  async function page(
    _request: FastifyRequest,
    reply: FastifyReply,
    again?: { readonly typed: string; readonly problem: string },
  ) {
    return reply.sendPage(
      <SuppressionsPage suppressions={await suppressions.list()} {...again} />,
      again === undefined ? 200 : 400,
    );
  }

  app.get('/suppressions', async (request, reply) => page(request, reply));

  app.post('/suppressions', async (request, reply) => {
    const { subject: text = '' } = textFields(request.body);
    try {
      const subject = parseSubject(text);
      await suppressions.add(subject);
      request.log.info({ subject: subjectText(subject) }, 'the operator suppressed a subject');
      return redirectTo(reply, address, 'left-out');
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code !== 'invalid_parameter') throw error;
      return page(request, reply, { typed: text, problem: error.message });
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
