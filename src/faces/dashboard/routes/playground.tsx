import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { toExtractError } from '../../../output/error-answer.js';
import { identifyingParams } from '../../../output/plain-argument.js';
import type { ApiKey } from '../../../service/accounts/account-objects.js';
import { activeKeys } from '../active-keys.js';
import { blankParams, callSamples } from '../call-samples.js';
import { type DashboardContext, viewerOf } from '../context.js';
import { pageNotFound } from '../error-handler.js';
import { type FormValues, textFields } from '../forms.js';
import { type PlaygroundNote, PlaygroundPage, type PlaygroundResult } from '../pages/playground.js';
import { formParams, runCall, sampleParams, valuesOf } from '../playground.js';

function endpointOf(path: unknown): Endpoint {
  const [first] = endpoints;
  const endpoint = path === undefined ? first : endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw pageNotFound();
  return endpoint;
}

/**
 * Returns the initial values of the fields: the sample's in a demo. With a key they would be looked up on the platform,
 * and not found.
 */
async function freshValues(endpoint: Endpoint, values: FormValues, isSample: boolean): Promise<FormValues> {
  const invented = await sampleParams(endpoint);
  if (isSample) return { ...invented, ...values };
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== invented[name]));
}

export function addPlaygroundRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { health, hosting, services } = context;

  interface PlaygroundState {
    readonly endpoint: Endpoint;
    readonly values: FormValues;
    readonly keys: readonly ApiKey[];
    readonly chosen: string;
    readonly played: PlaygroundResult | null;
    readonly note: PlaygroundNote | null;
  }

  function page(
    _request: FastifyRequest,
    reply: FastifyReply,
    playground: PlaygroundState,
    status = 200,
  ): FastifyReply {
    const { endpoint, values, chosen } = playground;
    const names = identifyingParams(endpoint);
    const blank = names.some((name) => values[name] !== undefined) ? {} : blankParams(endpoint);
    const params = { ...blank, ...valuesOf(endpoint, values), ...(chosen === '' ? { demo: true } : {}) };
    const samples = callSamples(endpoint, params, services.docsBase);
    return reply.sendPage(
      <PlaygroundPage {...playground} samples={samples} state={health.report(endpoint).state} />,
      status,
    );
  }

  app.get('/playground', async (request, reply) => {
    const { endpoint: path, key } = request.query as { endpoint?: unknown; key?: unknown };
    const endpoint = endpointOf(path);
    const keys = await activeKeys(context, viewerOf(request).account.id);
    const keyId = keys.find(({ id }) => id === key)?.id ?? '';
    const values = await freshValues(endpoint, {}, keyId === '');
    return page(request, reply, { endpoint, keys, values, chosen: keyId, played: null, note: null });
  });

  app.post('/playground', async (request, reply) => {
    const { account, session } = viewerOf(request);
    const { endpoint: path, key: keyId = '', shown: shownPath, choose } = textFields(request.body);
    const endpoint = endpointOf(path);
    const keys = await activeKeys(context, account.id);
    const apiKey = keys.find(({ id }) => id === keyId) ?? null;
    if (apiKey === null && keyId !== '') throw pageNotFound();
    const values = formParams(endpoint, request.body);
    const isChanged = shownPath !== undefined && shownPath !== endpoint.path;
    if (isChanged || choose !== undefined) {
      const fresh = await freshValues(endpoint, isChanged ? {} : values, apiKey === null);
      const note = isChanged && choose === undefined ? 'changed' : null;
      return page(request, reply, { endpoint, keys, values: fresh, chosen: keyId, played: null, note });
    }
    const playground = { endpoint, keys, values, chosen: keyId, note: null };
    const run = async () => {
      const startedAt = services.clock.now();
      const answer = await runCall(context, { endpoint, params: values, account, apiKey }, request, reply);
      return { ...answer, took: services.clock.now() - startedAt };
    };
    try {
      // A form that is reloaded or double-clicked is charged once.
      const answer = await (apiKey === null ? run() : context.submitted.once(request, run));
      if (answer === undefined)
        return page(request, reply, { ...playground, played: null, note: 'repeated' });
      const { source, json, meta, took } = answer;
      const data: unknown = JSON.parse(json);
      // The page shows the balance after the call.
      request.viewer = { session, account: (await hosting.accounts.find(account.email)) ?? account };
      return page(request, reply, { ...playground, played: { ok: true, data, source, meta, took } });
    } catch (cause) {
      if (!(cause instanceof ExtractError) || cause.type === 'internal') throw cause;
      const error = toExtractError(cause, request.id, services.docsBase);
      context.metrics.countError(endpoint, error.code);
      context.refusals.noteFailure(cause, endpoint, request.id);
      return page(request, reply, { ...playground, played: { ok: false, error } }, error.status);
    }
  });
}
