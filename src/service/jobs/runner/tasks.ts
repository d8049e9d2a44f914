/** The work of a task: a stretch of a job's inputs, or the lines of a cancelled job. */
export interface SliceTask {
  readonly job: string;
  /** Index of the first; null for the lines of a cancelled job. */
  readonly first: number | null;
}

/** Works on a task. The signal is aborted when the task was taken away, or nothing more is to be done here. */
export type TaskHandler = (task: SliceTask, signal: AbortSignal) => Promise<void>;

/** The port to whoever hands out the work on jobs. */
export interface Tasks {
  /**
   * Hands out tasks until it is stopped, several at once. A task whose handler rejects is handed out again, here or
   * elsewhere, and so is one whose process was killed: handlers must be idempotent.
   */
  start(handle: TaskHandler): void;
  /** Looks for tasks at once. */
  wake(): void;
  /** Aborts what was handed out, and resolves when the handlers have returned. */
  stop(): Promise<void>;
}
