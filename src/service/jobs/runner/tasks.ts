/** A range of a job's inputs, or the lines of a cancelled job. */
export interface SliceTask {
  readonly job: string;
  /** The index of the first input; null for the lines of a cancelled job. */
  readonly first: number | null;
}

/** Works on a task. The signal aborts if this node loses the task or must stop working on it. */
export type TaskHandler = (task: SliceTask, signal: AbortSignal) => Promise<void>;

/** Assigns the work on jobs. */
export interface Tasks {
  /**
   * Assigns tasks until stopped, several concurrently. A task is assigned again if its handler rejects or its process
   * is killed, so handlers must be idempotent.
   */
  start(handle: TaskHandler): void;
  wake(): void;
  /** Aborts the assigned tasks. Resolves when their handlers have returned. */
  stop(): Promise<void>;
}
