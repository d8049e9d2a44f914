import type { PronetworkJob } from './objects.js';

type Workplace = NonNullable<PronetworkJob['workplace_type']>;

const named = /\b(remote|hybrid|on-?site)\b/giu;

/** One part of a text that says nothing but where the work is done: “Remote”, “100% remote”, “Hybrid work”. */
const plainly = /^(?:(?:100 ?%|fully) )?(?:remote|hybrid|on-?site)(?: (?:work|job|role|position|only))?$/i;

/**
 * The workplace that a job's own words name, set off from the others by brackets, bars or dashes: “Porto
 * (Remote)”. “Remote sensing engineer” names none, nor does “Remote, Oregon”; words of two kinds name none either.
 */
export function workplaceIn(...texts: readonly (string | null)[]): Workplace | null {
  const text = texts.filter((one) => one !== null).join(' | ');
  const words = [...text.matchAll(named)].map(([word]) => word.toLowerCase());
  const [kind, ...others] = new Set(words.map((word) => (word.startsWith('on') ? 'on-site' : word)));
  const isPlain = text.split(/[()[\]|·•]| [-–—] /u).some((part) => plainly.test(part.trim()));
  return kind !== undefined && others.length === 0 && isPlain ? (kind as Workplace) : null;
}
