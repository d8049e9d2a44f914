import type { Command } from 'commander';
import { reservedPrice } from '../../../../lib/call/price.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { MapsPlace, MapsPlaceDetail } from '../../../../lib/platforms/maps/objects.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import type { CommandExtractor } from '../context.js';
import { wholeNumber } from '../number-arguments.js';
import type { Options } from '../output.js';
import { addStepOptions } from '../step-options.js';

/** Adds the options shared by the commands that search maps many times. */
export function addSearchOptions(command: Command, kind: 'area' | 'grid'): Command {
  command
    .option('--language <text>', 'Language of names, categories and hours, such as de')
    .option('--country <text>', 'Country for the format of phone numbers and addresses, such as AT')
    .option('--fresh', 'Skip the cache and fetch now')
    .option('--demo', 'Return sample data, without a network')
    .option('--resume', 'Resume an unfinished output, or start a new one')
    .option('--overwrite', 'Start over and replace the output')
    .option('--limit-credits <number>', 'Stop before spending more than this', wholeNumber(0, 999_999_999))
    .option(
      '--dry-run',
      `Show how many searches it takes, without running them${kind === 'area' ? '; --around is looked up' : ''}`,
    )
    .option('-q, --quiet', 'No progress and no summary')
    .option('--json', 'Print results, errors and the dry run as JSON')
    .option('--no-color', 'No colours');
  return addStepOptions(command, kind);
}

export const searchParams = ({ language, country, fresh }: Options) => ({
  ...(language === undefined ? {} : { language }),
  ...(country === undefined ? {} : { country }),
  ...(fresh === true ? { fresh } : {}),
});

/** The call that finds a place, within the run's limit. */
interface PlaceCall {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly demo: boolean;
  readonly limitCredits: number | undefined;
  /** The user's words, which a resumed run must repeat. */
  readonly words: string;
  /** The error if no place, or one without coordinates, is found. */
  readonly fault: (name: string | undefined) => string;
}

/** Returns the place of a call, or the first of its list. Throws if it has no coordinates. */
export async function lookUpPlace(
  extractor: CommandExtractor,
  { endpoint, params, demo, limitCredits, words, fault }: PlaceCall,
  signal: AbortSignal,
): Promise<LookedUp> {
  requireWithinLimit(endpoint, demo, limitCredits);
  const { json, meta } = await extractor.answer(
    endpoint,
    { ...params, ...(demo ? { demo } : {}) },
    { signal },
  );
  const [result] = [JSON.parse(json)].flat() as (MapsPlace | MapsPlaceDetail | undefined)[];
  if (result === undefined || result.location === null)
    throw new ExtractError('invalid_parameter', fault(result?.name));
  const { place_id, name, formatted_address, location, rating, user_ratings_total } = result;
  const place = { place_id, name, formatted_address, location, rating, user_ratings_total };
  return { asked: words, charged: meta.credits_charged, place };
}

/** Throws `insufficient_credits` if the look-up before a run would exceed its limit. */
function requireWithinLimit(endpoint: Endpoint, demo: boolean, limit: number | undefined): void {
  const price = reservedPrice(endpoint, demo);
  if (limit === undefined || price <= limit) return;
  throw new ExtractError(
    'insufficient_credits',
    `The first call costs ${price} credits and would exceed the limit of ${limit}. Raise the limit to continue.`,
  );
}
