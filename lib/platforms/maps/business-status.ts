import { textOrNull } from '../../read/convert.js';
import { pick, valueAt } from '../../read/json.js';
import { hasDailyState, hasHours } from './hours.js';
import type { MapsPlace } from './objects.js';
import { place } from './paths.js';

/**
 * How the status line of a temporarily closed place begins, in the languages it was seen in. There is no number for it
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

/** The same for a place that is closed for good; most pages say it by a number as well. */
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
 * In business or not. By its number where there is one, else by the status line. A known state proves a place to be in
 * business, and so do hours where nothing else is told: a place that is closed for a time keeps its hours. A line in
 * another language proves nothing.
 */
export function businessStatus(node: unknown): MapsPlace['business_status'] {
  if (valueAt(node, place.closedForGood) === 1) return 'CLOSED_PERMANENTLY';
  const status = pick(node, place.status, textOrNull)?.toLowerCase() ?? '';
  if (begins(status, permanentlyClosedWords)) return 'CLOSED_PERMANENTLY';
  if (begins(status, temporarilyClosedWords)) return 'CLOSED_TEMPORARILY';
  // The badge was seen at places that are closed for a time, too (2026-06). A state of the day contradicts it.
  const hasBadge = valueAt(node, place.highlight) === 'CLOSED';
  if (hasDailyState(node)) return hasBadge ? null : 'OPERATIONAL';
  if (hasBadge) return 'CLOSED_PERMANENTLY';
  const isUntold = status === '' && (valueAt(node, place.state) ?? null) === null;
  return isUntold && hasHours(node) ? 'OPERATIONAL' : null;
}
