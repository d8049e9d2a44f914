import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies a process so that another one can find out later whether it still runs: host, boot, process-id namespace,
 * process id and start time. All but the host and the process id are empty if the system does not report them.
 */
export interface Owner {
  readonly host: string;
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  readonly start: string;
}

function textOrEmpty(readText: () => string): string {
  try {
    return readText();
  } catch {
    return '';
  }
}

/** Returns the state letter and start time of a process on Linux (proc_pid_stat(5)), or null if they cannot be read. */
function processStat(pid: number): { state: string; start: string } | null {
  const stat = textOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The second field is the name in brackets, which may contain spaces and brackets, so fields are counted from its
  // end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start } : null;
}

export function thisProcess(): Owner {
  return {
    host: hostname(),
    boot: textOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    namespace: textOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
    pid: process.pid,
    start: processStat(process.pid)?.start ?? '',
  };
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // EPERM: it runs as another user.
    return !(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH');
  }
}

/**
 * Returns true only if it is certain, from `self`, that the owner has ended. Other machines and containers cannot be
 * seen.
 */
export function hasEnded(owner: Owner, self: Owner): boolean {
  if (owner.host !== self.host) return false;
  if (owner.boot !== self.boot) return true;
  if (owner.namespace !== self.namespace) return false;
  if (!runs(owner.pid)) return true;
  const stat = processStat(owner.pid);
  if (stat === null) return false;
  return stat.state === 'Z' || stat.state === 'X' || (owner.start !== '' && stat.start !== owner.start);
}

/** Returns true only if it is certain, from `self`, that the owner is running. */
export function isRunning(owner: Owner, self: Owner): boolean {
  if (owner.host !== self.host || owner.boot !== self.boot || owner.namespace !== self.namespace)
    return false;
  if (owner.pid === self.pid) return owner.start === self.start;
  const stat = owner.start === '' || !runs(owner.pid) ? null : processStat(owner.pid);
  return stat !== null && stat.start === owner.start && stat.state !== 'Z' && stat.state !== 'X';
}

export function ownerText(owner: Owner): string {
  return JSON.stringify([owner.host, owner.boot, owner.namespace, owner.pid, owner.start]);
}

/** Parses the text of `ownerText`; null for anything else. */
export function ownerFrom(text: string): Owner | null {
  try {
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts)) return null;
    const [host, boot, namespace, pid, start] = parts as readonly unknown[];
    return typeof host === 'string' &&
      typeof boot === 'string' &&
      typeof namespace === 'string' &&
      typeof start === 'string' &&
      Number.isSafeInteger(pid) &&
      Number(pid) > 0
      ? { host, boot, namespace, pid: Number(pid), start }
      : null;
  } catch {
    return null;
  }
}
