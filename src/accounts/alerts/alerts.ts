/** The port to balance alerts: a mail, once, when a balance falls below what its owner has set. */
export interface Alerts {
  /** Credits below which a mail is sent; null for none. */
  threshold(account: string): Promise<number | null>;
  /** Sets it; a balance that is below already is told at the next look. */
  setThreshold(account: string, credits: number | null): Promise<void>;
}
