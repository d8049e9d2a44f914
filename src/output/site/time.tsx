import type { UsageRow } from '../../../lib/ledger/usage-row.js';

/** `2026-11-21 09:05:12 UTC` */
export function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** A time in UTC. The script replaces it with local time, and shows UTC in the tooltip. */
export function Time({ at, short }: { readonly at: string; readonly short?: boolean }) {
  return (
    <time className="time moment" dateTime={at}>
      {short === true ? `${at.slice(0, 10)} ${at.slice(11, 16)} UTC` : timeText(at)}
    </time>
  );
}

export function Day({ at }: { at: string }) {
  return (
    <time className="time" dateTime={at}>
      {at.slice(0, 10)}
    </time>
  );
}

/** Formats the duration of a call; a dash if it was not measured. */
export function durationOf({ duration_ms }: Pick<UsageRow, 'duration_ms'>): string {
  return takenText(duration_ms);
}

/** Formats a measured duration; a dash for null. */
export function takenText(ms: number | null): string {
  if (ms === null) return '–';
  return ms === 0 ? 'under 1 ms' : durationText(ms);
}

/** `240 ms`, `1.3 s`, `6 h` */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
