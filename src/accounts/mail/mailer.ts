/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines of any length. */
  readonly text: string;
  /** The address that the text asks to open: what is shown to the operator where mails are not sent but kept. */
  readonly link?: string | undefined;
}

/** The port to whatever carries mails. */
export interface Mailer {
  /**
   * Resolves when the mail is taken. Rejects `internal_error` when it is not, so that the sender can be told, and for
   * an address or a subject that does not fit into one line.
   */
  send(mail: Mail): Promise<void>;
  /** Ends every connection: a mail that is under way is not waited for, and its sender is told. */
  close(): Promise<void>;
}
