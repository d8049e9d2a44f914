import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ApiKey } from '../../accounts/accounts.js';
import { toExtractError } from '../../output/error-answer.js';
import { callSamples } from '../call-samples.js';
import { type DashboardContext, frameOf, viewerOf } from '../context.js';
import { pageNotFound } from '../error-handler.js';
import { type FormValues, textFields } from '../forms.js';
import { PlaygroundPage, type PlaygroundResult } from '../pages/playground.js';
import { formParams, runCall, sampleParams, valuesOf } from '../playground.js';
import { sendPage } from '../send-page.js';

function endpointOf(path: unknown): Endpoint {
  const [first] = endpoints;
  const endpoint = path === undefined ? first : endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw pageNotFound();
  return endpoint;
}

/** Any endpoint, tried from a page. */
export function addPlaygroundRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, services } = context;

  async function activeKeys(request: FastifyRequest): Promise<readonly ApiKey[]> {
    const keys = await hosting.accounts.keys(viewerOf(request).account.id);
    return keys.filter(({ revoked_at }) => revoked_at === null);
  }

  interface Shown {
    readonly endpoint: Endpoint;
    readonly values: FormValues;
    readonly keys: readonly ApiKey[];
    readonly chosen: string;
    readonly played: PlaygroundResult | null;
  }

  function page(request: FastifyRequest, reply: FastifyReply, shown: Shown, status = 200): FastifyReply {
    const { endpoint, values, chosen } = shown;
    const params = { ...valuesOf(endpoint, values), ...(chosen === '' ? { demo: true } : {}) };
    const samples = callSamples(endpoint, params, services.docsBase);
    return sendPage(
      reply,
      <PlaygroundPage frame={frameOf(context, request, reply)} {...shown} samples={samples} />,
      status,
    );
  }

  app.get('/playground', async (request, reply) => {
    const endpoint = endpointOf((request.query as { endpoint?: unknown }).endpoint);
    const [keys, values] = await Promise.all([activeKeys(request), sampleParams(endpoint)]);
    return page(request, reply, { endpoint, keys, values, chosen: '', played: null });
  });

  app.post('/playground', async (request, reply) => {
    const { account, session } = viewerOf(request);
    const { endpoint: path, key: chosen = '' } = textFields(request.body);
    const endpoint = endpointOf(path);
    const keys = await activeKeys(request);
    const apiKey = keys.find(({ id }) => id === chosen) ?? null;
    if (apiKey === null && chosen !== '') throw pageNotFound();
    const values = formParams(endpoint, request.body);
    const shown = { endpoint, keys, values, chosen };
    try {
      const { source, json, meta } = await runCall(
        context,
        { endpoint, params: values, account, apiKey },
        request,
        reply,
      );
      const text = JSON.stringify({ data: JSON.parse(json), meta }, null, 2);
      // The page tells the balance after the call.
      request.viewer = { session, account: (await hosting.accounts.find(account.email)) ?? account };
      return page(request, reply, { ...shown, played: { ok: true, text, source, meta } });
    } catch (cause) {
      if (!(cause instanceof ExtractError) || cause.type === 'internal') throw cause;
      const error = toExtractError(cause, request.id, services.docsBase);
      context.metrics.refused(endpoint, error.code);
      return page(request, reply, { ...shown, played: { ok: false, error } }, error.status);
    }
  });
}
