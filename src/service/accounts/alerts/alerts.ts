/** An alert whose mail is to be sent. */
export interface DueAlert {
  readonly account: string;
  readonly email: string;
  readonly threshold: number;
  readonly balance: number;
  readonly tries: number;
}

/** The port to balance alerts: a mail, once, when a balance falls below what its owner has set. */
export interface Alerts {
  /** Credits below which a mail is sent; null for none. */
  readThreshold(account: string): Promise<number | null>;
  /**
   * Sets the threshold; a balance that is below already is due at once. Rejects `invalid_parameter` for what is no
   * number of credits.
   */
  setThreshold(account: string, credits: number | null): Promise<void>;
  /** Takes some of the alerts that are due now, each for this process alone. Writes nothing where there are none. */
  claim(now: number): Promise<readonly DueAlert[]>;
  /** Ends a claim: the mail was sent, or the next try is due later each time. */
  settle(alert: DueAlert, sent: boolean, now: number): Promise<void>;
}
