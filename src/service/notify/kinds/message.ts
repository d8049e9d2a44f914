/** The request posted to an address. */
export interface Message {
  /** Set if it differs from the address of the target. */
  readonly url?: string;
  readonly body: string;
}
