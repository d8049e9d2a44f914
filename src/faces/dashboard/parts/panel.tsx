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
