/** Connections of a process to its database. */
export interface ConnectionCounts {
  /** Those that are open, used or not. */
  readonly open: number;
  /** Open ones that nobody uses. */
  readonly idle: number;
  /** Pieces of work that wait for one. */
  readonly waiting: number;
  /** Open ones at most. */
  readonly max: number;
}
