import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'busy' | 'plain';

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** Returns a badge for states, each with its tone and its word. */
export const stateBadge =
  <State extends string>(words: Readonly<Record<State, readonly [Tone, string]>>) =>
  ({ state }: { readonly state: State }) => <Badge tone={words[state][0]}>{words[state][1]}</Badge>;

/** A prominent message: done, worth knowing, or wrong. */
export function Callout({ kind, children }: { kind: 'done' | 'note' | 'problem'; children: ReactNode }) {
  return (
    <div className={`callout ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      <div>{children}</div>
    </div>
  );
}
