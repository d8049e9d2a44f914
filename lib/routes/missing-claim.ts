import { ExtractError } from '../errors/extract-error.js';

/**
 * A place's word that something is missing, which it says of withheld things, too. However many places say it, only a
 * witness of the ladder confirms it.
 */
export class MissingClaim extends ExtractError {}
