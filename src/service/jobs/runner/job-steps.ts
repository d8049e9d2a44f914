import type { Endpoint } from '../../../../lib/endpoint.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { requestSteps } from '../../../lines/run-steps.js';
import type { RequestedStep, StepPorts } from '../../../lines/step.js';
import type { EndedInput, JobAtWork, LineOptions } from '../job.js';
import { type InputMemory, ofInput } from '../schedules/schedule-memory.js';

/** Milliseconds of work between yields. */
const turnMs = 2;

/** Returns the steps for a job's line options. Rejects `invalid_parameter` for options that it cannot have. */
export function requestJobSteps(
  endpoint: Endpoint,
  options: LineOptions,
  kind: 'job' | 'schedule',
): Promise<readonly RequestedStep[]> {
  const nameOf = (option: string) => `The field ${option}`;
  return requestSteps(options, { kind, endpoint, isForeign: true, all: false, output: null, nameOf });
}

const requested = new WeakMap<LineOptions, Promise<readonly RequestedStep[]>>();

/** Returns the steps of a running job, cached. Rejects as `requestJobSteps` does. */
export function stepsOf(
  { lineOptions, schedule }: JobAtWork,
  endpoint: Endpoint,
): Promise<readonly RequestedStep[]> {
  const steps =
    requested.get(lineOptions) ??
    requestJobSteps(endpoint, lineOptions, schedule === null ? 'job' : 'schedule');
  requested.set(lineOptions, steps);
  return steps;
}

/** What to remember of an input, in the transaction that stores its line. */
export type Remembered = { -readonly [Part in 'seen' | 'observed']?: EndedInput[Part] };

const absent = (): never => {
  throw new Error('A job has no such port.');
};

/** Returns the ports for an input's steps. What they remember goes into `remembered`. */
export function jobPorts(
  job: JobAtWork,
  index: number,
  { store, ...ports }: Pick<StepPorts, 'endpoint' | 'clock' | 'signal'> & { readonly store: InputMemory },
  remembered: Remembered,
): StepPorts {
  const close = async () => undefined;
  let turnBegan = performance.now();
  return {
    ...{ ...ports, home: '', media: absent, alerts: absent, suppressed: absent, journal: absent },
    seenMemory: async () => ({
      lookUp: (observation) => store.lookUp(job.schedule ?? '', ofInput(observation, index)),
      async remember([observation]) {
        remembered.seen = observation;
      },
      close,
    }),
    history: async () => ({
      async record(_, observation) {
        remembered.observed = observation;
      },
      close,
    }),
    async breathe() {
      if (performance.now() - turnBegan < turnMs) return;
      await accountTurns.next(job.account);
      turnBegan = performance.now();
    },
  };
}
