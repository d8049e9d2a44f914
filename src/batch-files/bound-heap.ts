import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect the old generation before it has grown by two thirds. By default dead objects take several times the
 * memory in use. The heap then grows over the first hundred thousand inputs. Only for a process that runs nothing but a
 * batch. Without a pace it costs about a fifth of the speed. Measured 2026-11: 136 MB with 10,000 inputs; with 100,000
 * it is 141 MB, and 150 to 178 MB without.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=60');
}
