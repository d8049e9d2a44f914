import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { site as shortvideo } from '../../lib/platforms/shortvideo/site.js';
import type { BrowserSource } from '../../lib/web/browser/browser-source.js';
import type { Answers } from './browser-site.js';

/** Pages that ask for something by themselves, as many as are wanted. */
export const manyPages: Answers = ({ path }) => ({
  body:
    path === '/api/list' ? '{}' : "<!doctype html><title>A page</title><script>fetch('/api/list')</script>",
});

/** So many calls at once, by five callers: the statuses that came, and how many visits there were at one time. */
export async function callsAtOnce(source: BrowserSource, count: number) {
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, source.counts.open);
  }, 5);
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const session = source.open(shortvideo, undefined, { caller: `caller ${at % 5}` });
      const { status } = await session.fetch({ url: `https://www.tiktok.com/page/${at}` });
      session.end();
      return status;
    }),
  );
  clearInterval(watch);
  return { statuses: [...new Set(statuses)], most };
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

function processes(): Row[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null && !found[3]?.startsWith('Z'))
    .map((found) => ({ pid: Number(found?.[1]), parent: Number(found?.[2]), args: found?.[4] ?? '' }));
}

/** The browsers that a process started. */
export function browsersOf(pid: number): number[] {
  return processes()
    .filter(({ parent, args }) => parent === pid && args.includes('--remote-debugging-pipe'))
    .map((one) => one.pid);
}

/** Kilobytes of a process that are its own, what it shares with others in part. */
function proportionalKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const descriptors = (pid: number) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

/** What the browsers of a process take: processes, descriptors, megabytes. */
export function browserLoad(pid: number) {
  const all = processes();
  const tree = browsersOf(pid);
  for (const at of tree) for (const { pid: own, parent } of all) if (parent === at) tree.push(own);
  const sum = (count: (one: number) => number) => tree.reduce((total, one) => total + count(one), 0);
  return {
    processes: tree.length,
    descriptors: sum(descriptors),
    mb: Math.round(sum(proportionalKb) / 1024),
  };
}
