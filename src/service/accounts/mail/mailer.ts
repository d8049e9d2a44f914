/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, with lines of any length. */
  readonly text: string;
  /** The link in the text. The operator is shown it if mail is stored instead of sent. */
  readonly link?: string | undefined;
}

/** The port to whatever delivers mail. */
export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. Rejects `internal_error` if it has not, and for an address or a
   * subject that does not fit into one line.
   */
  send(mail: Mail): Promise<void>;
  /** Deletes stored mail to an address. Sent mail cannot be recalled. */
  forget(address: string): Promise<void>;
  /** Closes every connection, so that sending in progress rejects. */
  close(): Promise<void>;
}
