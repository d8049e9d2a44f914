import { type Caller, call, type Services } from '../../../lib/call/call.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Extractor } from '../../../lib/extractor.js';
import type { Balance } from '../../../lib/ledger/ledger.js';
import { reportingServices } from './progress.js';

interface BackendCall {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Cancels the call; the charge is refunded. */
  readonly signal: AbortSignal;
  /** Reports the current step. */
  onProgress(message: string): void;
}

/** The port to where calls run: in this process, or on a server. */
export interface Backend {
  /** Throws ExtractError for any failure, and the signal's reason for a cancelled call. */
  answer(call: BackendCall): Promise<Answer>;
  balance(account: string): Promise<Balance>;
  /** Returns a text that changes with the suppressed subjects of an endpoint; empty if there are none. */
  edition(endpoint: Endpoint): Promise<string>;
}

/** Runs calls in this process, on the ledger and cache of these services. */
export function localBackend(services: Services): Backend {
  return {
    answer: ({ endpoint, params, caller, signal, onProgress }) =>
      call(endpoint, params, reportingServices(services, onProgress), caller, { signal }),
    balance: (account) => services.ledger.balance(account),
    edition: async (endpoint) => (await services.suppressed?.())?.edition(endpoint) ?? '',
  };
}

/** Sends calls to an extractor's server, which identifies the caller by the key. */
export function remoteBackend(extractor: Pick<Extractor, 'answer' | 'ledger'>): Backend {
  return {
    async answer({ endpoint, params, signal, onProgress }) {
      onProgress('Asking the server');
      return extractor.answer(endpoint, params, { signal });
    },
    balance: async (account) => (await extractor.ledger()).balance(account),
    // A key cannot read the server's list.
    edition: async () => '',
  };
}
