import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { ApiClient } from '../../../../lib/remote/api-client.js';
import { type Clock, elapsed, systemClock } from '../../../../lib/runtime/clock.js';
import { jobPath } from './job-api.js';

const lineFeed = 0x0a;
const retryMs = 1000;
/** Maximum consecutive disconnections without a line in between. */
const maxBreaks = 30;
/**
 * Milliseconds after which a disconnection does not count: a job may pause for hours, and proxies close idle
 * connections.
 */
const stableMs = 30_000;

/** Yields complete lines; drops text after the last line feed. */
async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(lineFeed) + 1;
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
}

function count(lines: Buffer): number {
  let total = 0;
  for (let at = lines.indexOf(lineFeed); at >= 0; at = lines.indexOf(lineFeed, at + 1)) total += 1;
  return total;
}

/**
 * Yields the results of a job in complete lines: the existing ones, or with `follow` all of them as they are written.
 * After a disconnection it continues with the next line.
 */
export async function* resultLines(
  client: Pick<ApiClient, 'open'>,
  id: string,
  follow: boolean,
  signal: AbortSignal,
  clock: Clock = systemClock,
): AsyncGenerator<Buffer, void, undefined> {
  let from = 0;
  for (let breaks = 0; ; ) {
    let openedAt: number | null = null;
    try {
      const query = follow ? { wait: 'true', from: String(from) } : {};
      const bytes = await client.open(jobPath(id, '/results'), query, signal);
      openedAt = elapsed(clock);
      for await (const lines of wholeLines(bytes)) {
        from += count(lines);
        breaks = 0;
        yield lines;
      }
      return;
    } catch (error) {
      breaks = openedAt !== null && elapsed(clock) - openedAt >= stableMs ? 0 : breaks + 1;
      const broken = error instanceof ExtractError && error.code === 'platform_unavailable';
      if (!follow || !broken || breaks > maxBreaks) throw error;
    }
    await clock.sleep(retryMs, signal);
  }
}
