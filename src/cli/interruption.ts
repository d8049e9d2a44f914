/** Why a run was ended from outside, and the exit status that says so. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitStatus: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.exitStatus = signal === 'SIGINT' ? 130 : 143;
  }
}
