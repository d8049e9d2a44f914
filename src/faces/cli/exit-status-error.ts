/** Ends a command with a non-zero status after its output is written. */
export class ExitStatusError extends Error {
  override readonly name = 'ExitStatusError';
  readonly exitStatus: number;

  constructor(exitStatus: number) {
    super(`Exit status ${exitStatus}.`);
    this.exitStatus = exitStatus;
  }
}

/** The signal that ended a run, and its exit status. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitStatus: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.exitStatus = signal === 'SIGINT' ? 130 : 143;
  }
}
