/** The request that is posted to an address. */
export interface Message {
  /** Where it differs from the address of the target. */
  readonly url?: string;
  readonly body: string;
}
