import { performance } from 'node:perf_hooks';

/** The options of a bench program, as its one argument. */
export interface Wanted {
  readonly origin: string;
  readonly input: string;
  readonly output: string;
  readonly concurrency: number;
  /** Without optional parts. */
  readonly bare: boolean;
  /** Inputs of a program that makes them itself. */
  readonly count: number;
}

export function wantedRun(): Wanted {
  return JSON.parse(process.argv[2] ?? '') as Wanted;
}

/** What a run took: from the first request on, without the start of the process. */
export interface Cost {
  readonly rows: number;
  readonly ms: number;
  /** Processor time of the process, all its threads. */
  readonly cpuMs: number;
  readonly peakMb: number;
  /** The peak of a long run when its first 10,000 lines were written. */
  readonly earlyMb?: number;
}

/** The most memory that this process has had until now. */
export function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Begins to measure; the function that it returns tells the cost on stdout. */
export function reportCost(): (rows: number, more?: Pick<Cost, 'earlyMb'>) => void {
  const began = performance.now();
  const before = process.cpuUsage();
  return (rows, more = {}) => {
    const { user, system } = process.cpuUsage(before);
    const cost: Cost = {
      rows,
      ms: performance.now() - began,
      cpuMs: (user + system) / 1000,
      peakMb: peakMb(),
      ...more,
    };
    console.log(JSON.stringify(cost));
  };
}
