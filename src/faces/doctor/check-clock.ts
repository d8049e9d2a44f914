import { type Finding, failed, ok, warning } from './finding.js';

/** When this release was made, about: no clock that goes right is before it. */
const madeAt = Date.UTC(2026, 10, 1);
/** Milliseconds by which clocks may differ. */
const tolerance = 5 * 60_000;

const next =
  'Set the clock, and let it be kept by NTP (timedatectl set-ntp true, or the settings of the system).';

/** The facts about the time beside this machine's clock. */
export interface OtherClocks {
  /** Time of the newest call in the ledger. */
  readonly newest: number | null;
  /** A host's certificate was not valid yet, or no more. */
  readonly isCertificateOutOfTime: boolean;
}

/** The machine's clock: signatures, lifetimes and certificates depend on it. */
export function checkClock(now: number, { newest, isCertificateOutOfTime }: OtherClocks): Finding {
  const time = new Date(now).toISOString();
  if (now < madeAt) return failed('clock', `It is ${time}, which is before this version was made.`, next);
  if (isCertificateOutOfTime) {
    return failed('clock', `It is ${time}, and certificates of hosts are not valid at that time.`, next);
  }
  if (newest !== null && newest > now + tolerance) {
    const message = `It is ${time}, and the ledger has a call of ${new Date(newest).toISOString()}: the clock was set back.`;
    return warning('clock', message, next);
  }
  return ok('clock', time);
}
