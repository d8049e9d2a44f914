/**
 * Where the lines of a run go after its steps: a stream, a file, a table or a report made of them, an object of a
 * bucket, the rows of a job.
 */
export interface Sink<Added> {
  /** Adds an ended input, or a page of one. Returns a promise if the caller must wait before it adds more. */
  add(added: Added): Promise<void> | void;
  /** Writes the rest and closes. `done` is false if inputs are left, which a later run may continue with. */
  end(done: boolean): Promise<void>;
}
