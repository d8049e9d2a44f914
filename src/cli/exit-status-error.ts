/** Ends a command that did what it was asked and has told so, with a status that says more than that. */
export class ExitStatusError extends Error {
  override readonly name = 'Finish';
  readonly exitStatus: number;

  constructor(exitStatus: number) {
    super(`Exit status ${exitStatus}.`);
    this.exitStatus = exitStatus;
  }
}
