import { countOrNull } from '../../read/convert.js';

/** Between thousands: point, comma, apostrophes and every kind of space that the platform's languages use. */
const separator = "[.,'’\\s]";
const numberAndUnit = new RegExp(`\\d+(?:${separator}\\d+)*[^\\s\\d]*`, 'g');
/** Groups of three after the first; in India, of two before the last. */
const grouped = new RegExp(`^(?:\\d+|\\d{1,3}(?:${separator}\\d{2,3})*${separator}\\d{3})$`);

/**
 * The one count in a label such as “4,246 reviews” or “516 αξιολογήσεις”, or null. A shortened count
 * (“1.2K”), a decimal, or a second number makes it null: it would be a guess.
 */
export function countInText(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const [number, second] = value.match(numberAndUnit) ?? [];
  if (number === undefined || second !== undefined || !grouped.test(number)) return null;
  return countOrNull(number.replace(/\D/g, ''));
}
