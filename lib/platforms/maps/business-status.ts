import { textOrNull } from '../../read/convert.js';
import { pick, valueAt } from '../../read/json.js';
import { hasDailyState, hasHours } from './hours.js';
import type { MapsPlace } from './objects.js';
import { place } from './paths.js';

/**
 * Starts of the status line of a temporarily closed place, in the observed languages. There is no number for it
 * (2026-09).
 */
const temporarilyClosedWords = [
  'temporarily closed',
  'temporairement fermé',
  'fermé temporairement',
  'vorübergehend geschlossen',
  'cerrado temporalmente',
  'temporalmente cerrado',
  'chiuso temporaneamente',
  'temporaneamente chiuso',
  'temporariamente fechado',
  'fechado temporariamente',
  'tijdelijk gesloten',
  'временно закрыто',
  'tymczasowo zamknięte',
  'zamknięte tymczasowo',
  'tillfälligt stängt',
  'тимчасово зачинено',
  'тимчасово закрито',
  '臨時休業',
  '暂停营业',
  '暫停營業',
];

/** The same for a permanently closed place; most pages also have a number for it. */
const permanentlyClosedWords = [
  'permanently closed',
  'définitivement fermé',
  'fermé définitivement',
  'dauerhaft geschlossen',
  'cerrado permanentemente',
  'permanentemente cerrado',
  'chiuso definitivamente',
  'definitivamente chiuso',
  'permanentemente fechado',
  'fechado permanentemente',
  'permanent gesloten',
  'definitief gesloten',
  'закрыто навсегда',
  'zamknięte na stałe',
  'permanent stängt',
  '閉業',
  '永久停业',
  '永久歇業',
];

const begins = (text: string, words: readonly string[]) => words.some((word) => text.startsWith(word));

/**
 * Returns whether a place is in business: by its number, else by the status line. A recognised status line proves that
 * it is. So do hours without other signs, although a temporarily closed place keeps its hours. A status line in another
 * language proves nothing.
 */
export function businessStatus(node: unknown): MapsPlace['business_status'] {
  if (valueAt(node, place.closedForGood) === 1) return 'CLOSED_PERMANENTLY';
  const status = pick(node, place.status, textOrNull)?.toLowerCase() ?? '';
  if (begins(status, permanentlyClosedWords)) return 'CLOSED_PERMANENTLY';
  if (begins(status, temporarilyClosedWords)) return 'CLOSED_TEMPORARILY';
  // Temporarily closed places were seen with the badge, too (2026-06). A state of the day contradicts it.
  const hasBadge = valueAt(node, place.highlight) === 'CLOSED';
  if (hasDailyState(node)) return hasBadge ? null : 'OPERATIONAL';
  if (hasBadge) return 'CLOSED_PERMANENTLY';
  const isUnstated = status === '' && (valueAt(node, place.state) ?? null) === null;
  return isUnstated && hasHours(node) ? 'OPERATIONAL' : null;
}
