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
  /** Omitted between a phone, where rows are cards, and a wide screen. */
  readonly minor?: boolean;
}

interface TableProps<Row> {
  /** Says what the table contains; hidden if a heading already says so. */
  readonly caption: string;
  /** Null omits a column. */
  readonly columns: readonly (Column<Row> | null)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** On a narrow screen: two lines per row, or only the first rows of a preview. Items scroll on a wide one. */
  readonly kind?: 'calls' | 'sums' | 'items' | 'items preview' | undefined;
  /** Replaces a table without rows. */
  readonly empty?: ReactNode;
}

const classOf = ({ numeric, minor }: Pick<Column<never>, 'numeric' | 'minor'>) =>
  [numeric === true ? 'numeric' : '', minor === true ? 'minor' : ''].join(' ').trim() || undefined;

/** Rows under titled columns; on a narrow screen each row becomes a card of titled cells. */
export function Table<Row>({ caption, columns: all, rows, keyOf, kind, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty;
  const columns = all.filter((one) => one !== null);
  return (
    <div
      className={kind === undefined ? 'table' : `table ${kind}`}
      tabIndex={kind?.startsWith('items') ? 0 : undefined}
    >
      <table>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, silent, ...column }) => (
              <th key={title} scope="col" className={classOf(column)}>
                {silent === true ? <span className="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, heads, silent, ...column }) => {
                const attributes = {
                  className: silent === true ? 'silent' : classOf(column),
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
  if (text.length <= maxInline) return text;
  return (
    <span className="prose" title={text}>
      {text}
    </span>
  );
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
