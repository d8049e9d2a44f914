import { ExtractError } from '../errors/extract-error.js';

/** What a page says about its list, apart from the items. Only this can make an empty list an answer. */
export interface EmptyProof {
  /** The platform's own mark or words for “no results”. */
  readonly none?: boolean;
  /** The platform's count of the whole list; null without one. */
  readonly total?: number | null;
  /** True if the list is present and the platform says that it ends there. */
  readonly end?: boolean;
  /** Items that were read and omitted because they do not match the request. */
  readonly leftOut?: number;
}

/**
 * Throws `platform_changed` for an empty list without proof. `begins`: the list starts here, so a count above 0
 * contradicts every other proof.
 */
export function requireEmptyProof(
  { none = false, total = null, end = false, leftOut = 0 }: EmptyProof,
  begins: boolean,
): void {
  if (leftOut > 0) return;
  if (begins && total !== null && total > 0) {
    throw new ExtractError('platform_changed', `The page counts ${total} items but contains none.`);
  }
  if (none || end || total === 0) return;
  throw new ExtractError('platform_changed', 'The page has no items, but does not say that there are none.');
}
