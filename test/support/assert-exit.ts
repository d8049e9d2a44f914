import assert from 'node:assert/strict';

interface Ended {
  readonly status: number | null;
  readonly err: string;
}

/** Asserts that a command ended with this status, and wrote all of these texts to stderr. */
export function assertExit<Run extends Ended>(run: Run, status: number, ...said: readonly RegExp[]): Run {
  assert.equal(run.status, status, run.err);
  for (const words of said) assert.match(run.err, words);
  return run;
}
