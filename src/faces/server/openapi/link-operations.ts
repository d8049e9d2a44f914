import * as z from 'zod';
import { newLinkRequest } from '../../../service/jobs/links/link-objects.js';
import { answer, metaSchema } from './account-operations.js';
import { errorResponses } from './responses.js';
import { type Plain, schemaRef } from './schemas.js';

const parameter = (name: string, description: string): Plain => ({
  ...{ name, in: 'path', description, required: true, schema: { type: 'string' } },
});

const { $schema: _, ...requestSchema } = z.toJSONSchema(newLinkRequest) as Plain;

/** The operations on the links to jobs or to schedules. */
function operationsOf(of: 'job' | 'schedule'): Readonly<Record<string, Plain>> {
  const common = { tags: ['jobs'], 'x-credits': 0, security: [{ api_key: [] }] };
  const id = parameter('id', `ID of the ${of}.`);
  const answers = (description: string, data: Plain, statuses: readonly number[], status = 200): Plain => {
    const { 200: success } = answer(description, data, metaSchema()) as { readonly 200: Plain };
    return { [status]: success, ...errorResponses(statuses) };
  };
  return {
    [`/${of}s/{id}/links`]: {
      get: {
        ...common,
        operationId: `list_${of}_links`,
        summary: `The shared links to a ${of}, newest first`,
        description: 'Their URLs are never shown again. Free.',
        parameters: [id],
        responses: answers(
          'The links.',
          { type: 'array', items: schemaRef('shared_link') },
          [400, 401, 403, 404, 429, 500],
        ),
      },
      post: {
        ...common,
        operationId: `create_${of}_link`,
        summary: `Create a link that reads a ${of} without a key`,
        description: `${
          of === 'job'
            ? 'A job has tables: its results as CSV, once it has finished and for as long as they are kept.'
            : 'A table has the results of the newest run that is done; a feed tells of changes, for a schedule with `history`.'
        } Whoever has the URL can read, and do nothing else. It is shown once. Free.`,
        parameters: [id],
        requestBody: { required: true, content: { 'application/json': { schema: requestSchema } } },
        responses: answers(
          'The link, with its URLs.',
          schemaRef('new_shared_link'),
          [400, 401, 403, 404, ...(of === 'schedule' ? [409] : []), 413, 429, 500],
          201,
        ),
      },
    },
    [`/${of}s/{id}/links/{link}/revoke`]: {
      post: {
        ...common,
        operationId: `revoke_${of}_link`,
        summary: `Revoke a link to a ${of}: the next read fails`,
        description: 'Free.',
        parameters: [id, parameter('link', 'ID of the link.')],
        responses: answers(
          'The link as it was.',
          schemaRef('shared_link'),
          [400, 401, 403, 404, 413, 429, 500],
        ),
      },
    },
  };
}

export const linkOperations: Readonly<Record<string, Plain>> = {
  ...operationsOf('job'),
  ...operationsOf('schedule'),
};
