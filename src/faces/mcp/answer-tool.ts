import type * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { parseParams } from '../../../lib/params/parse.js';
import { integer, text } from '../../../lib/params/vocabulary.js';
import { inputSchema, outputSchema } from './schemas.js';
import { showAnswer } from './show-answer.js';
import type { Tool } from './tool.js';
import { viewOf, viewParams, withoutView } from './view-parameters.js';

const endpointParams = {
  request_id: text('meta.request_id of the answer.'),
  offset: integer(0, 1000, 'Items to skip at the beginning of a list.').default(0),
  limit: integer(1, 100, 'Items of a list to show.').default(100),
};
const params = { ...endpointParams, ...viewParams };
const route = { path: 'get_answer', params: endpointParams, exactlyOne: null, renamed: {} };

/** Shows parts of a recent answer that were truncated. */
export const answerTool: Tool = {
  endpoint: null,
  definition: {
    name: route.path,
    title: 'An answer again, in full or in part',
    description:
      'Shows an answer of the last hour again: longer texts (text_limit), other fields, further items (offset). Free.',
    inputSchema: inputSchema(params),
    outputSchema: outputSchema({ description: 'The data of the answer, as its tool describes it.' }, true),
    annotations: {
      title: 'An answer again',
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    },
  },
  async run(args, { access, backend, recentAnswers }) {
    const {
      request_id: id,
      offset,
      limit,
    } = parseParams(route, withoutView(args)) as z.output<z.ZodObject<typeof endpointParams>>;
    const caller = await access.admit({ platform: null, demo: false });
    const recent = await recentAnswers.find(id, caller?.account ?? null);
    const isHidden =
      recent?.demo === false && caller?.platforms?.includes(recent.endpoint.platform) === false;
    if (recent === undefined || isHidden) {
      throw new ExtractError(
        'invalid_parameter',
        `The answer to ${JSON.stringify(id.slice(0, 80))} is not available: it is older than an hour, or not yours. Call its tool again.`,
      );
    }
    // An answer does not list everyone it mentions, so one from before a change of the list is fetched again.
    if (!recent.demo && (await backend.edition(recent.endpoint)) !== recent.edition) {
      throw new ExtractError(
        'invalid_parameter',
        'The answer is not shown again, because the operator has changed the suppressed subjects. Call its tool again.',
      );
    }
    const shownAnswer = showAnswer(recent, viewOf(recent.endpoint, args), access, { offset, count: limit });
    return {
      ...shownAnswer,
      notes: ['Shown again: meta is the original call’s, and nothing was charged.', ...shownAnswer.notes],
    };
  },
};
