import { type Finding, failed, ok, warning } from './finding.js';

/** Approximate release date; a correct clock cannot be earlier. */
const builtAt = Date.UTC(2026, 10, 1);
const tolerance = 5 * 60_000;

const next = 'Set the clock, and synchronise it with NTP (timedatectl set-ntp true, or the system settings).';

/** Other evidence of the current time. */
export interface OtherClocks {
  /** Time of the newest call in the ledger. */
  readonly newest: number | null;
  /** True if a host's certificate was not valid yet, or had expired. */
  readonly isCertificateOutOfTime: boolean;
}

/** Checks the machine's clock, on which signatures, lifetimes and certificates depend. */
export function checkClock(now: number, { newest, isCertificateOutOfTime }: OtherClocks): Finding {
  const time = new Date(now).toISOString();
  if (now < builtAt) return failed('clock', `It is ${time}, before this version was built.`, next);
  if (isCertificateOutOfTime) {
    return failed('clock', `It is ${time}, and certificates of hosts are not valid at that time.`, next);
  }
  if (newest !== null && newest > now + tolerance) {
    const message = `It is ${time}, and the ledger has a call of ${new Date(newest).toISOString()}: the clock was set back.`;
    return warning('clock', message, next);
  }
  return ok('clock', time);
}
