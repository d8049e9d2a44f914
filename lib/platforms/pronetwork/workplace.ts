import type { PronetworkJob } from './objects.js';

type Workplace = NonNullable<PronetworkJob['workplace_type']>;

const pattern = /\b(remote|hybrid|on-?site)\b/giu;

/** A text that only names the workplace: “Remote”, “100% remote”, “Hybrid work”. */
const plainly = /^(?:(?:100 ?%|fully) )?(?:remote|hybrid|on-?site)(?: (?:work|job|role|position|only))?$/i;

/**
 * Returns the workplace type in a job's own words, set off by brackets, bars or dashes: “Porto (Remote)”. Neither
 * “Remote sensing engineer” nor “Remote, Oregon” has one; two contradicting types give none either.
 */
export function workplaceIn(...texts: readonly (string | null)[]): Workplace | null {
  const text = texts.filter((one) => one !== null).join(' | ');
  const words = [...text.matchAll(pattern)].map(([word]) => word.toLowerCase());
  const [kind, ...others] = new Set(words.map((word) => (word.startsWith('on') ? 'on-site' : word)));
  const isPlain = text.split(/[()[\]|·•]| [-–—] /u).some((part) => plainly.test(part.trim()));
  return kind !== undefined && others.length === 0 && isPlain ? (kind as Workplace) : null;
}
