import type { State } from '../../health/endpoint-state.js';

/** A state in a word. */
export function StateBadge({ state }: { readonly state: State }) {
  return <span className={`state ${state}`}>{state}</span>;
}
