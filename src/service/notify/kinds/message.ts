export interface Message {
  /** If it differs from the target's address. */
  readonly url?: string;
  readonly body: string;
}
