import { ExtractError } from '../errors/extract-error.js';

/**
 * A place's claim that something is missing, where it says the same of withheld things. However many places claim it,
 * only a witness of the ladder confirms it.
 */
export class MissingClaim extends ExtractError {}
