import { type Caller, call, type Services } from '../../lib/call/call.js';
import type { Answer } from '../../lib/call/envelope.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { Extractor } from '../../lib/extractor.js';
import type { Balance } from '../../lib/ledger/ledger.js';
import { tellingServices } from './progress.js';

/** One question of a tool. */
interface Question {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Ends the call; what was charged is given back. */
  readonly signal: AbortSignal;
  /** Told of what has just been done. */
  progress(message: string): void;
}

/** The port to the one road of a call: this process goes it, or a server does. */
export interface Backend {
  /** Throws ExtractError for everything that can go wrong, and the signal's reason for a call that was given up. */
  answer(question: Question): Promise<Answer>;
  balance(account: string): Promise<Balance>;
}

/** Reads here, on the ledger and cache of these services. */
export function ownBackend(services: Services): Backend {
  return {
    answer: ({ endpoint, params, caller, signal, progress }) =>
      call(endpoint, params, tellingServices(services, progress), caller, { signal }),
    balance: (account) => services.ledger.balance(account),
  };
}

/** Asks the server that an extractor is set up for; the server knows whose key it is. */
export function remoteBackend(extractor: Pick<Extractor, 'answer' | 'ledger'>): Backend {
  return {
    async answer({ endpoint, params, signal, progress }) {
      progress('Asking the server');
      return extractor.answer(endpoint, params, { signal });
    },
    balance: async (account) => (await extractor.ledger()).balance(account),
  };
}
