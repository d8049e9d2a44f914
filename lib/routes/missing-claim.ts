import { ExtractError } from '../errors/extract-error.js';

/**
 * A platform source's claim that something is missing, when it answers the same for withheld things. However many
 * sources claim it, only a witness of the ladder confirms it.
 */
export class MissingClaim extends ExtractError {}
