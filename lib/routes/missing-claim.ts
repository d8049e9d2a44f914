import { ExtractError } from '../errors/extract-error.js';

/**
 * A claim that something is missing, from a source that says the same of withheld things. However many sources claim
 * it, only a witness of the ladder confirms it.
 */
export class MissingClaim extends ExtractError {}
