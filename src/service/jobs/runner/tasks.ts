/** The work of a task: a range of a job's inputs, or the lines of a cancelled job. */
export interface SliceTask {
  readonly job: string;
  /** Index of the first; null for the lines of a cancelled job. */
  readonly first: number | null;
}

/** Works on a task. The signal aborts if this node loses the task or must stop working on it. */
export type TaskHandler = (task: SliceTask, signal: AbortSignal) => Promise<void>;

/** The port to whatever assigns the work on jobs. */
export interface Tasks {
  /**
   * Assigns tasks until it is stopped, several concurrently. A task whose handler rejects is assigned again, here or
   * elsewhere, and so is one whose process was killed, so handlers must be idempotent.
   */
  start(handle: TaskHandler): void;
  /** Looks for tasks immediately. */
  wake(): void;
  /** Aborts what was assigned, and resolves when the handlers have returned. */
  stop(): Promise<void>;
}
