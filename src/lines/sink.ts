/** The destination of a run's lines: a stream, a file, a table or report, a bucket object, the rows of a job. */
export interface Sink<Added> {
  /** Adds a finished input, or a page of one. Returns a promise if the caller must wait before adding more. */
  add(added: Added): Promise<void> | void;
  /** Writes the rest and closes. `done` is false if inputs remain for a later run. */
  end(done: boolean): Promise<void>;
}
