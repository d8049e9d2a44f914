import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'busy' | 'plain';

/** A state in a word. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
