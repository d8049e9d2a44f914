import { Badge, type Tone } from './status.js';

const tones = {
  ok: 'good',
  degraded: 'busy',
  unreachable: 'bad',
  refused: 'bad',
  changed: 'bad',
  unknown: 'plain',
} as const satisfies Record<string, Tone>;

/** How an endpoint is doing, in a word. */
export function StateBadge({ state }: { readonly state: keyof typeof tones }) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}
