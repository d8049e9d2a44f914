/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines of any length. */
  readonly text: string;
  /** The link in the text. The operator is shown it where mails are stored and not sent. */
  readonly link?: string | undefined;
}

/** The port to whatever carries mails. */
export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. Rejects `internal_error` when it has not, and for an address or a
   * subject that does not fit into one line.
   */
  send(mail: Mail): Promise<void>;
  /** Deletes what is kept of the mails to an address; what was sent is gone. */
  forget(address: string): Promise<void>;
  /** Closes every connection: the sending of a mail that is under way rejects. */
  close(): Promise<void>;
}
