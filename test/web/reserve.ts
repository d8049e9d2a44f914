import type { PaceStore } from '../../lib/web/pace-store.js';

/** Reserves a moment on a surface without a budget of an hour. */
export async function reserve(
  store: PaceStore,
  platform: string,
  ms: number,
  instead?: number,
): Promise<number> {
  return (await store.reserve(platform, { ms }, instead)).at;
}
