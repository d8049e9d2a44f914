import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes that this process still holds after a full collection: heap and buffers. The size of a process says less: V8
 * grows its heap opportunistically, and seldom returns pages.
 */
export async function heldBytes(): Promise<number> {
  collectGarbage();
  // A separate thread releases buffers.
  await sleep(200);
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
