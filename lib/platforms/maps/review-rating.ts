import { numberOrNull } from '../../read/convert.js';

/**
 * Stars from 1 to 5: the platform's own, or else a partner site's rating, which stands on a scale of its own
 * (10 for some travel sites), brought to five in proportion.
 */
export function starsOf(own: unknown, partner: unknown, scale: unknown): number | null {
  const stars = numberOrNull(own);
  if (stars !== null) return stars > 0 && stars <= 5 ? stars : null;
  const rating = numberOrNull(partner);
  const most = numberOrNull(scale);
  if (rating === null || most === null || rating <= 0 || rating > most) return null;
  return Math.round((rating / most) * 50) / 10;
}
