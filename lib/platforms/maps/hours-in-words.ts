import { latinDigits } from '../../read/latin-digits.js';

/** Returns how an hour may be written: of the day, of its half, and past the end of the previous day. */
function hourForms(hour: number): readonly number[] {
  const ofDay = hour % 24;
  return [ofDay, ofDay % 12 === 0 ? 12 : ofDay % 12, ...(ofDay === 0 ? [24] : []), hour];
}

/** “9”, “9:30”, “9.30”, “9h30”, “9時30分”: an hour and, after one character, its minutes. */
const time = /(?<!\d)(\d{1,2})(?:[^\d\s–—~-](\d{2}))?(?!\d)/g;

/**
 * True if the words of a day (“9:00–17:30”, “9 AM–5:30 PM”) can mean its hours. Words without numbers prove nothing.
 * Numbers alone do not reveal a shifted list, with minutes at the index of hours.
 */
export function canMean(words: string | null, moments: readonly number[]): boolean {
  const times = [...latinDigits(words ?? '').matchAll(time)].map(
    ([, hour, minute = '0']) => [Number(hour), Number(minute)] as const,
  );
  if (times.length === 0) return true;
  return moments.every((moment) => {
    const forms = hourForms(Math.floor(moment / 60));
    return times.some(([hour, minute]) => forms.includes(hour) && minute === moment % 60);
  });
}
