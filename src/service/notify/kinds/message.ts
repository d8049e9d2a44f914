export interface Message {
  /** The address to post to, if it differs from the target's. */
  readonly url?: string;
  readonly body: string;
}
