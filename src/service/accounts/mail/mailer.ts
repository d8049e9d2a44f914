/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text with lines of any length. */
  readonly text: string;
  /** The link in the text, shown to the operator if mail is stored instead of sent. */
  readonly link?: string | undefined;
}

/** Delivers mail. */
export interface Mailer {
  /**
   * Resolves once the mail server has accepted the mail. Rejects `internal_error` otherwise, and for an address or
   * subject with line breaks.
   */
  send(mail: Mail): Promise<void>;
  /** Deletes stored mail to an address. Sent mail cannot be recalled. */
  forget(address: string): Promise<void>;
  /** Closes every connection; sends in progress reject. */
  close(): Promise<void>;
}
