/** `2026-11-21 09:05:12 UTC` */
export function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** A moment, in UTC; the script adds the reader's own time as a tip. */
export function Time({ at }: { at: string }) {
  return (
    <time className="time" dateTime={at}>
      {timeText(at)}
    </time>
  );
}
