import type { ReactNode } from 'react';

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** A few words below it. */
  readonly note?: ReactNode;
  /** The name by which the page's script updates it. */
  readonly part?: string;
  readonly danger?: boolean;
}

/** The numbers at the top of a page; null omits one. */
export function Figures({ of }: { of: readonly (Figure | null)[] }) {
  return (
    <dl className="figures">
      {of
        .filter((one) => one !== null)
        .map(({ name, value, note, part, danger }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-part={part} className={danger === true ? 'danger-text' : undefined}>
              {value}
              {note === undefined ? null : (
                <>
                  {' '}
                  <small>{note}</small>
                </>
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}
