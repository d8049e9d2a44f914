import type { ReactNode } from 'react';

interface PanelProps {
  readonly title: string;
  /** A link or a remark to the right of the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under its own heading. */
export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {aside === undefined ? null : <div className="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** An empty list: what it will contain, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

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
            <dd className={danger === true ? 'danger-text' : undefined}>
              {part === undefined ? value : <span data-part={part}>{value}</span>}
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
