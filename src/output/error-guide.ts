import type { ErrorCode } from '../../lib/errors/catalogue.js';
import { outcomes } from '../../lib/errors/outcomes.js';

/** Help with an error beyond its meaning and next step. */
interface ErrorGuide {
  /** How to find out whether this is the cause. */
  readonly tell: string;
  readonly example: string;
}

const inBrowser = 'Open the page in a private window of your browser: a logged-out visitor must see it.';
const refusalHint =
  '`extract doctor --live` tests each platform once and shows which ones refuse. The same call may work from another network.';
const usageHint = '`extract usage --platforms` counts the requests and refusals of each day.';

const tiktok = 'extract https://www.tiktok.com/@nasa';

const guides: Partial<Record<ErrorCode, ErrorGuide>> = {
  invalid_parameter: {
    tell: 'The message names the parameter and its valid values.',
    example: 'extract tiktok profile nasa',
  },
  missing_parameter: {
    tell: 'The message names the missing parameter.',
    example: 'extract tiktok profile nasa',
  },
  unknown_parameter: {
    tell: '`--help` of the command and `extract endpoints` list the parameters.',
    example: 'extract tiktok profile --help',
  },
  invalid_url: { tell: 'The message says which pages can be read.', example: tiktok },
  profile_not_found: { tell: inBrowser, example: tiktok },
  company_not_found: { tell: inBrowser, example: 'extract linkedin company "Ember & Clay"' },
  place_not_found: { tell: inBrowser, example: 'extract google-maps place "Eiffel Tower"' },
  post_not_found: { tell: inBrowser, example: 'extract instagram posts nike' },
  video_not_found: { tell: inBrowser, example: 'extract tiktok videos nasa' },
  hashtag_not_found: { tell: inBrowser, example: 'extract instagram hashtag driftwood' },
  account_private: { tell: inBrowser, example: 'extract instagram profile nike' },
  insufficient_credits: {
    tell: '`extract usage credits` shows the balance.',
    example: 'extract usage credits',
  },
  rate_limited: {
    tell: usageHint,
    example: 'extract batch tiktok/profile names.txt -o profiles.xlsx --resume',
  },
  platform_blocked: { tell: refusalHint, example: 'extract doctor --live' },
  platform_login_required: { tell: inBrowser, example: 'extract doctor --live' },
  platform_restricted: { tell: inBrowser, example: 'extract doctor --live' },
  platform_rate_limited: { tell: usageHint, example: 'extract usage --platforms' },
  platform_unavailable: {
    tell: '`extract doctor` checks whether the platforms can be reached from here.',
    example: 'extract doctor',
  },
  platform_timeout: {
    tell: '`extract doctor` checks whether the platforms can be reached from here.',
    example: 'extract doctor',
  },
  platform_changed: {
    tell: 'All pages of this kind fail while you see the data in a browser. `--debug` shows the page that came.',
    example: `${tiktok} --save-pages pages`,
  },
};

/** Returns what the pages of a platform's refusal look like; empty for other codes. */
export const causesOf = (code: ErrorCode): readonly string[] =>
  Object.values(outcomes).flatMap((one) => (one.code === code ? [one.condition] : []));

export const guideOf = (code: ErrorCode): ErrorGuide | null => guides[code] ?? null;
