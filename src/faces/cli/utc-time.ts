import { InvalidArgumentError } from 'commander';

/** A day or a moment of ISO 8601 → UTC. A moment without a zone is UTC, as all times are that we show. */
export function utcTime(text: string): string {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const time = Date.parse(
    form !== null && form[1] !== undefined && form[4] === undefined ? `${text}Z` : text,
  );
  if (form === null || Number.isNaN(time)) {
    throw new InvalidArgumentError('It must be a day or a time such as 2026-11-05 or 2026-11-05T14:30Z.');
  }
  return new Date(time).toISOString();
}
