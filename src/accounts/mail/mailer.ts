/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines of any length. */
  readonly text: string;
}

/** The port to whatever carries mails. */
export interface Mailer {
  /** Resolves when the mail is taken. Rejects `internal_error` when it is not, so that the sender can be told. */
  send(mail: Mail): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}
