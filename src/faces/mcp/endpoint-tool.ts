import type { Endpoint } from '../../../lib/endpoint.js';
import { endpointDescription } from './endpoint-description.js';
import { dataSchema, endpointInput, outputSchema } from './schemas.js';
import { showAnswer } from './show-answer.js';
import type { Tool } from './tool.js';
import { viewOf, viewParams, withoutView } from './view-parameters.js';

/** Few, because each item takes space in a context window. */
const defaultLimit = 5;

export function endpointTool(endpoint: Endpoint): Tool {
  const { operation, page, title, platform, returns, many } = endpoint;
  const limit = page === null ? undefined : Math.min(defaultLimit, page.max);
  return {
    endpoint,
    definition: {
      name: operation,
      title,
      description: endpointDescription(endpoint),
      inputSchema: endpointInput(endpoint, viewParams, limit ?? 1),
      outputSchema: outputSchema(dataSchema(returns, many), true),
      annotations: { title, readOnlyHint: true, destructiveHint: false, openWorldHint: true },
    },
    async run(args, { requestId, access, backend, recentAnswers, signal, onProgress, onAnswered }) {
      const params = withoutView(args);
      if (limit !== undefined) params.limit ??= limit;
      const caller = await access.admit({ platform, demo: params.demo === true });
      const view = viewOf(endpoint, args);
      // Without a key every call returns sample data; an invalid `demo` remains invalid.
      if (caller === null && (params.demo === undefined || params.demo === false)) params.demo = true;
      const demo = params.demo === true;
      const account = caller?.account ?? null;
      // Read before the answer, because this edition may not include a subject suppressed meanwhile.
      const edition = await backend.edition(endpoint);
      const answer = await backend.answer({
        endpoint,
        params,
        caller: { requestId, account, key: caller?.key },
        signal,
        onProgress,
      });
      onAnswered(endpoint, answer);
      await recentAnswers.add({ endpoint, answer, account, demo, edition });
      return showAnswer({ endpoint, answer, demo }, view, access);
    },
  };
}
