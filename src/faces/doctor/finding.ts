/** The result of a check: all well, something to know, or something that keeps calls from being answered. */
export interface Finding {
  /** The subject of the check, in a word or two. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** The remedy; null where there is nothing to do. */
  readonly next: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, next: null });

export const warning = (check: string, message: string, next: string): Finding => ({
  ...{ check, status: 'warning', message, next },
});

export const failed = (check: string, message: string, next: string): Finding => ({
  ...{ check, status: 'failed', message, next },
});

/** How bad the findings are all together. */
export function worstOf(findings: readonly Finding[]): Finding['status'] {
  if (findings.some(({ status }) => status === 'failed')) return 'failed';
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}
