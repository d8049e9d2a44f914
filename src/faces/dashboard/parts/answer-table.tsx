import { integerText } from '../../../output/number-text.js';
import { type AnswerTable as AnswerRows, answerTable, type CellValue } from '../answer-table.js';
import { Details } from './details.js';
import { Table } from './table.js';

function text(value: CellValue | undefined): string {
  if (value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? integerText(value) : value;
}

function ListTable({ columns, rows }: AnswerRows) {
  const numbered = rows.map((row, at) => ({ at, row }));
  return (
    <Table
      caption="The items of the answer"
      rows={numbered}
      keyOf={({ at }) => String(at)}
      columns={columns.map((name, at) => ({
        title: name,
        heads: at === 0,
        numeric: rows.every((row) => row[name] === undefined || typeof row[name] === 'number'),
        cell: ({ row }: (typeof numbered)[number]) => text(row[name]),
      }))}
    />
  );
}

const counted = (count: number, what: string) =>
  count <= 0 ? null : `${count} more ${count === 1 ? what : `${what}s`}`;

/** Shows the data of an answer. Values that are null, or too deep for a table, are only in the JSON. */
export function AnswerTable({
  data,
  preferred,
  maxRows = Number.POSITIVE_INFINITY,
}: {
  readonly data: unknown;
  /** Fields of a list that people look at first. */
  readonly preferred?: readonly string[] | undefined;
  readonly maxRows?: number;
}) {
  const table = answerTable(data, preferred);
  const [first] = table.rows;
  if (first === undefined) return <p className="muted">The list is empty.</p>;
  const more = [
    Array.isArray(data) ? counted(table.rows.length - maxRows, 'item') : null,
    counted(table.omitted, 'field'),
  ].filter((text) => text !== null);
  return (
    <div className="answer">
      {Array.isArray(data) ? (
        <ListTable {...table} rows={table.rows.slice(0, maxRows)} />
      ) : (
        <Details of={table.columns.map((name) => [name, text(first[name])] as const)} />
      )}
      {more.length === 0 ? null : <p className="remark">In the JSON as well: {more.join(', ')}.</p>}
    </div>
  );
}
