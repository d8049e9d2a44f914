/** The result of a check: fine, a warning, or something that prevents calls. */
export interface Finding {
  /** The subject, in a word or two. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** The remedy; null if nothing needs to be done. */
  readonly next: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, next: null });

export const warning = (check: string, message: string, next: string): Finding => ({
  ...{ check, status: 'warning', message, next },
});

export const failed = (check: string, message: string, next: string): Finding => ({
  ...{ check, status: 'failed', message, next },
});

export function worstOf(findings: readonly Finding[]): Finding['status'] {
  if (findings.some(({ status }) => status === 'failed')) return 'failed';
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}
