import { parseCallRequest } from '../call/call-request.js';
import type { Answer, Meta } from '../call/envelope.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { Ledger } from '../ledger/ledger.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { newRequestId } from '../runtime/request-id.js';
import { ApiClient } from './api-client.js';
import { baseUrlOf } from './base-url.js';
import { remoteLedger } from './remote-ledger.js';

/** A server that answers calls instead of this process. */
export interface Remote {
  answer(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: CallSignal | undefined; readonly texts?: boolean | undefined },
  ): Promise<Answer>;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

/** Milliseconds beyond a call's deadline until its response must have arrived. */
const transferMs = 30_000;

type ServerSettings = Pick<
  Config,
  'apiKey' | 'userAgent' | 'timeoutMs' | 'httpsProxy' | 'httpProxy' | 'noProxy'
> & {
  readonly baseUrl: string;
};

export function openApiClient(config: ServerSettings, clock: Clock): ApiClient {
  return new ApiClient({
    baseUrl: baseUrlOf(config.baseUrl),
    apiKey: config.apiKey,
    userAgent: config.userAgent,
    proxy: config,
    timeouts: { connectMs: 10_000, headersMs: config.timeoutMs + transferMs, bodyMs: transferMs },
    clock,
  });
}

export function openRemote(config: Config & { readonly baseUrl: string }, clock: Clock): Remote {
  const client = openApiClient(config, clock);
  return {
    async answer(endpoint, params, { signal, texts } = {}) {
      try {
        signal?.throwIfAborted();
        // A call that the server would refuse fails here without being sent. The server still checks every call.
        const request = parseCallRequest(endpoint, params, texts);
        const entries = Object.entries(params).filter(([, value]) => value !== undefined);
        const textParams = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
        // The answer's coverage comes with its sources.
        const query = { ...textParams, sources: 'true' };
        const { data, meta, sources, coverage } = await client.get(endpoint.path, query, signal);
        const source = request.demo ? 'sample' : meta.cached === true ? 'cache' : 'platform';
        const located = sources === undefined || !request.sources ? {} : { sources: JSON.stringify(sources) };
        return { source, json: JSON.stringify(data), meta: meta as unknown as Meta, ...located, coverage };
      } catch (error) {
        throw error instanceof ExtractError && error.requestId === ''
          ? error.within(newRequestId(), config.docsUrl)
          : error;
      }
    },
    ledger: remoteLedger(client),
    close: () => client.close(),
  };
}
