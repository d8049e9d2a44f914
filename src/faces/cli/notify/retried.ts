import type { Clock } from '../../../../lib/runtime/clock.js';
import type { AttemptOutcome } from '../../../service/jobs/webhooks/sender.js';

/** Milliseconds before each retry, the same as for a server's webhooks. */
const pauses = [2000, 4000, 8000, 16_000, 32_000];

/** Retries until an attempt succeeds. Resolves with the last failure; null after success. */
export async function retried(
  attempt: () => Promise<AttemptOutcome>,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | null> {
  for (let tries = 0; ; tries += 1) {
    const result = await attempt();
    if (result.error === null) return null;
    const pause = pauses[tries];
    if (!result.again || pause === undefined) return result.error;
    await clock.sleep(pause, signal);
  }
}
