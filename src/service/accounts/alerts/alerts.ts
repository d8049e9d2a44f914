export interface DueAlert {
  readonly account: string;
  readonly email: string;
  readonly threshold: number;
  readonly balance: number;
  readonly tries: number;
}

/** Balance alerts: one mail when a balance falls below the owner's threshold. */
export interface Alerts {
  /** Returns the threshold in credits; null for none. */
  readThreshold(account: string): Promise<number | null>;
  /**
   * Sets the threshold. If the balance is already below, the alert is due immediately. Rejects `invalid_parameter` for
   * an invalid number of credits.
   */
  setThreshold(account: string, credits: number | null): Promise<void>;
  /** Claims some of the due alerts exclusively for this process. Writes nothing if there are none. */
  claim(now: number): Promise<readonly DueAlert[]>;
  /** Ends a claim: the mail was sent, or the next attempt is scheduled, later each time. */
  settle(alert: DueAlert, isSent: boolean, now: number): Promise<void>;
}
