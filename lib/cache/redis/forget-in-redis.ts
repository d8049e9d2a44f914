import type { Traces } from '../../suppressions/traces.js';
import { connectRedis } from './redis-adapter.js';
import { cacheFault, timeoutMs } from './redis-tier.js';

export const maxAnswers = 1_000_000;
const atOnce = 500;

/**
 * Removes from Redis the cached answers that contain the subject's words, even as parts of other words: a lost answer
 * only costs a fetch. `isComplete` says whether all answers were examined. Rejects with a `StorageError` if Redis cannot
 * be used.
 */
export async function forgetInRedis(
  url: string,
  traces: Traces,
  limit = maxAnswers,
): Promise<{ readonly removed: number; readonly isComplete: boolean }> {
  const { store, withCause } = await connectRedis(url, timeoutMs).catch((cause: unknown) => {
    throw cacheFault(cause);
  });
  let [seenCount, removed] = [0, 0];
  let matchingKeys: string[] = [];
  const remove = async () => {
    const keys = matchingKeys;
    matchingKeys = [];
    if (keys.length > 0) removed += (await store.deleteMany(keys)).filter(Boolean).length;
  };
  try {
    await withCause(async () => {
      for await (const [key, value] of store.iterator<string>()) {
        seenCount += 1;
        if (seenCount > limit) break;
        const text = (value ?? '').toLowerCase();
        const matches = (parts: readonly string[]) =>
          parts.length === 0 ? traces.in(value) : parts.every((part) => text.includes(part));
        if (traces.parts.some(matches)) matchingKeys.push(key);
        if (matchingKeys.length === atOnce) await remove();
      }
      await remove();
    });
  } catch (cause) {
    throw cacheFault(cause);
  } finally {
    await store.disconnect(true).catch(() => undefined);
  }
  return { removed, isComplete: seenCount <= limit };
}
