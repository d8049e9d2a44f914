import { latinDigits } from '../../read/latin-digits.js';

/** Numbers by which an hour is written: of the day, of its half, and as the end of the day before. */
const hourForms = (hour: number): readonly number[] => {
  const ofDay = hour % 24;
  return [ofDay, ofDay % 12 === 0 ? 12 : ofDay % 12, ...(ofDay === 0 ? [24] : []), hour];
};

/**
 * Whether the words of a day (“9:00–17:30”, “9 AM–5:30 PM”) can mean its hours. Words without numbers say nothing. The
 * numbers alone do not tell an hour from the minutes that stand in its place when a list moves.
 */
export function canMean(words: string | null, moments: readonly number[]): boolean {
  const numbers = new Set(
    latinDigits(words ?? '')
      .match(/\d+/g)
      ?.map(Number),
  );
  if (numbers.size === 0) return true;
  return moments.every((moment) => {
    const minute = moment % 60;
    return (
      hourForms(Math.floor(moment / 60)).some((form) => numbers.has(form)) &&
      (minute === 0 || numbers.has(minute))
    );
  });
}
