import type { ReactNode } from 'react';

/** A message that stands out: something is done, to be known, or wrong. */
export function Notice({ kind, children }: { kind: 'done' | 'note' | 'problem'; children: ReactNode }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      <div>{children}</div>
    </div>
  );
}
