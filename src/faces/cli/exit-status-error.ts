import { constants } from 'node:os';

/** Ends a command with a non-zero status after its output is written. */
export class ExitStatusError extends Error {
  override readonly name = 'ExitStatusError';
  readonly exitStatus: number;

  constructor(exitStatus: number) {
    super(`Exit status ${exitStatus}.`);
    this.exitStatus = exitStatus;
  }
}

/** The signals that end a run in order. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type EndingSignal = (typeof endingSignals)[number];

/** The signal that ended a run, and its exit status. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitStatus: number;

  constructor(signal: EndingSignal) {
    super('Interrupted.');
    this.exitStatus = 128 + constants.signals[signal];
  }
}
