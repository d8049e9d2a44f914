import { ExtractError } from '../errors/extract-error.js';

/** A page's statements on its list, beside the items. Nothing else makes an empty list an answer. */
export interface EmptyProof {
  /** The platform's own mark or words that there is nothing. */
  readonly none?: boolean;
  /** Items of the whole list, as the platform counts them; null where it does not. */
  readonly total?: number | null;
  /** The place of the list is known, and it ends there by the platform's own word. */
  readonly end?: boolean;
  /** Items that were read and left out, as they are not what was asked for. */
  readonly leftOut?: number;
}

/**
 * Throws `platform_changed` for an empty list that nothing proves. `begins`: the list begins here, so that a count of
 * more than 0 contradicts every other proof.
 */
export function requireEmptyProof(
  { none = false, total = null, end = false, leftOut = 0 }: EmptyProof,
  begins: boolean,
): void {
  if (leftOut > 0) return;
  if (begins && total !== null && total > 0) {
    throw new ExtractError('platform_changed', `The page counts ${total} items and came without them.`);
  }
  if (none || end || total === 0) return;
  throw new ExtractError(
    'platform_changed',
    'The page came without items, and nothing on it says that there are none.',
  );
}
