import type { PronetworkJob } from './objects.js';

/** A job of a list, with its number. */
export interface JobCard {
  readonly id: string;
  readonly job: PronetworkJob;
}

export type Workplace = NonNullable<PronetworkJob['workplace_type']>;

/** A kind of workplace that a place names in parentheses. */
export function workplaceIn(location: string | null): Workplace | null {
  const word = /\((on-?site|hybrid|remote)\)/i.exec(location ?? '')?.[1]?.toLowerCase();
  if (word === undefined) return null;
  return word.startsWith('on') ? 'on-site' : (word as Workplace);
}
