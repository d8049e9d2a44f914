import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligned right, with digits in columns. */
  readonly numeric?: boolean;
  /** Names the row for screen readers; one column per table. */
  readonly heads?: boolean;
  /** The title is for screen readers only: a column of buttons. */
  readonly silent?: boolean;
}

interface TableProps<Row> {
  /** Says what the table contains; hidden if a heading already says so. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** On a narrow screen: two lines per row, or only the first rows of a preview. */
  readonly kind?: 'calls' | 'sums' | 'preview';
}

/** Rows under titled columns; on a narrow screen each row becomes a card of titled cells. */
export function Table<Row>({ caption, columns, rows, keyOf, kind }: TableProps<Row>) {
  return (
    <div
      className={kind === undefined ? 'table' : `table ${kind}`}
      tabIndex={kind === 'preview' ? 0 : undefined}
    >
      <table>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric, silent }) => (
              <th key={title} scope="col" className={numeric === true ? 'numeric' : undefined}>
                {silent === true ? <span className="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, numeric, heads, silent }) => {
                const attributes = {
                  className: numeric === true ? 'numeric' : silent === true ? 'silent' : undefined,
                  'data-title': silent === true ? undefined : title,
                };
                return heads === true ? (
                  <th key={title} scope="row" {...attributes}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} {...attributes}>
                    {cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const maxInline = 24;

/** A text that is below its title on a narrow screen if it is long. */
export function TextCell({ text }: { text: string }) {
  return text.length > maxInline ? <span className="prose">{text}</span> : text;
}

/** Links to older rows, and back to the newest. */
export function Pager({ first, next }: { first: string | null; next: string | null }) {
  if (first === null && next === null) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {first === null ? <span /> : <a href={first}>Newest</a>}
      {next === null ? null : (
        <a href={next} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
