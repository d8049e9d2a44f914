import type { ReactNode } from 'react';

/** Names and values, one per line; null omits a line. */
export function Details({ of }: { of: readonly (readonly [name: string, value: ReactNode] | null)[] }) {
  return (
    <dl className="details">
      {of
        .filter((one) => one !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
