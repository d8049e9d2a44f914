import { call, type Services } from '../../../../lib/call/call.js';
import type { Answer } from '../../../../lib/call/envelope.js';
import type { Config } from '../../../../lib/config.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Charge, Ledger } from '../../../../lib/ledger/ledger.js';
import type { Platform } from '../../../../lib/platforms.js';
import { elapsed } from '../../../../lib/runtime/clock.js';
import { inSpan } from '../../../../lib/runtime/span.js';
import { gapOf } from '../../../../lib/web/gap.js';
import { firstSurface } from '../../../../lib/web/page-source.js';
import type { CallFunction } from './run-input.js';

export interface JobCallsOptions {
  readonly services: Services;
  readonly config: Pick<Config, 'concurrency'>;
  readonly endpoints: readonly Endpoint[];
  /** Replaces the call function of every interface. */
  readonly ask?: CallFunction | undefined;
  /** Called after each answered input, with its seconds and the job's id. */
  readonly onAnswered?: (endpoint: Endpoint, answer: Answer, seconds: number, job: string) => void;
  /** Called after each failed input. */
  readonly onRejected?: (endpoint: Endpoint, code: ErrorCode) => void;
}

/** Inputs in progress per concurrent request of a platform, so that requests never wait for the disk. */
const inputsPerRequest = 3;
/** Minimum, so that a hanging input does not delay the others. */
const minSlots = 4;
function countCalls(
  ask: CallFunction,
  { onAnswered, onRejected, services: { clock, span } }: JobCallsOptions,
): CallFunction {
  return async (endpoint, params, caller, signal) => {
    const began = elapsed(clock);
    try {
      const attributes = { 'extract.job_id': caller.job ?? '', 'extract.request_id': caller.requestId };
      const answer = await inSpan(span, 'extract.job', attributes, () =>
        ask(endpoint, params, caller, signal),
      );
      onAnswered?.(endpoint, answer, (elapsed(clock) - began) / 1000, caller.job ?? '');
      return answer;
    } catch (error) {
      if (error instanceof ExtractError) onRejected?.(endpoint, error.code);
      throw error;
    }
  };
}

/** Returns how the inputs of jobs are called, and how many per platform concurrently. */
export function jobCalls(options: JobCallsOptions): {
  readonly ask: CallFunction;
  readonly slots: (platform: Platform) => number;
} {
  const { services, config, endpoints } = options;
  const reserved: Services = { ...services, ledger: reservedLedger(services.ledger) };
  const chargedCall: CallFunction = (endpoint, params, caller, signal) =>
    call(endpoint, params, reserved, caller, { texts: true, signal });
  const ask = countCalls(options.ask ?? chargedCall, options);
  const slots = (platform: Platform) => {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    const atOnce =
      site === undefined ? 1 : gapOf(site, firstSurface(site), { ...config, paceMs: {} }).concurrency;
    return Math.max(minSlots, atOnce * inputsPerRequest);
  };
  return { ask, slots };
}

/**
 * The ledger for a job's call. Creating the job charged its price, and the runner ends its row together with the line,
 * so this only checks whether the account may use `fresh`.
 */
function reservedLedger(ledger: Ledger): Ledger {
  const allowed = async ({ account, needsPack }: Charge) => {
    if (needsPack && !(await ledger.balance(account)).bought) throw new ExtractError('fresh_not_available');
  };
  return {
    charge: allowed,
    async pay(charge) {
      await allowed(charge);
      return 0;
    },
    settle: async () => 0,
    refund: async () => 0,
    grant: () => Promise.reject(new ExtractError('internal_error', 'A call grants nothing.')),
    balance: ledger.balance.bind(ledger),
    usage: ledger.usage.bind(ledger),
    checkWritable: () => ledger.checkWritable(),
    close: async () => undefined,
  };
}
