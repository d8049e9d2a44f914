import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes that V8 may allot for new objects. By itself it takes several times that on a machine with much memory. */
const maxNewBytes = 32 * 1024 * 1024;

/** V8 reads its bound of the space for new objects at its start. Later the space can only be kept from growing. */
function boundNewObjects(): void {
  const observer = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (space !== undefined && space.space_size < maxNewBytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * Makes V8 collect the old generation before it has grown by two thirds, and bounds the new one. By default dead objects
 * take several times the memory in use. The heap then grows over the first hundred thousand inputs. Only for a process
 * that runs nothing but a batch. Measured 2026-11: 136 MB with 10,000 inputs; with 100,000 it is 141 MB, and 150 to 178 MB
 * without the first, which costs no processor time. The second, for 1,000,000 rows of a workbook or Parquet: a fifth less
 * processor time, 160 MB and not 250.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=60');
  boundNewObjects();
}
