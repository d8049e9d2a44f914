import { Time } from '../../../output/site/time.js';

/** A time, or words for none. */
export function Moment({ at, none = '–' }: { readonly at: string | null; readonly none?: string }) {
  return at === null ? <span className="muted">{none}</span> : <Time at={at} />;
}
