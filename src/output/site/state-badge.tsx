import { Badge, type Tone } from './status.js';

const tones = {
  ok: 'good',
  degraded: 'busy',
  unreachable: 'bad',
  refused: 'bad',
  changed: 'bad',
  unknown: 'plain',
} as const satisfies Record<string, Tone>;

const words: Readonly<Record<keyof typeof tones, string>> = {
  ok: 'OK',
  degraded: 'Degraded',
  unreachable: 'Unreachable',
  refused: 'Refused',
  changed: 'Changed',
  unknown: 'Unknown',
};

export function StateBadge({ state }: { readonly state: keyof typeof tones }) {
  return <Badge tone={tones[state]}>{words[state]}</Badge>;
}
