import type { Endpoint } from '../../../../lib/endpoint.js';
import { integerText } from '../../../output/number-text.js';
import { type ItemTable, itemDetails, itemTable } from '../item-table.js';
import { Details } from './panel.js';
import { Table, TextCell } from './table.js';

export function ItemsTable({
  caption,
  kind,
  table: { columns, rows },
}: {
  readonly caption: string;
  readonly kind: 'items' | 'items preview';
  readonly table: ItemTable;
}) {
  return (
    <Table
      {...{ caption, kind }}
      rows={rows.map((cells, at) => ({ cells, at }))}
      keyOf={({ at }) => String(at)}
      columns={columns.map(({ title, numeric }, index) => ({
        ...{ title, numeric, heads: index === 0 },
        cell: ({ cells }: { readonly cells: readonly string[] }) => <TextCell text={cells[index] ?? ''} />,
      }))}
    />
  );
}

/** Shows the most interesting values of an answer. The JSON has all of them. */
export function AnswerTable({
  endpoint,
  data,
  maxRows = Number.POSITIVE_INFINITY,
}: {
  readonly endpoint: Endpoint;
  readonly data: unknown;
  readonly maxRows?: number;
}) {
  const items = [data].flat();
  const moreItems = items.length - maxRows;
  if (items.length === 0) return <p className="muted">The list is empty.</p>;
  return (
    <div className="answer">
      {endpoint.many ? (
        <ItemsTable
          caption="The items of the answer"
          kind={Number.isFinite(maxRows) ? 'items preview' : 'items'}
          table={itemTable(endpoint, items.slice(0, maxRows))}
        />
      ) : (
        <Details of={itemDetails(endpoint, data)} />
      )}
      <p className="remark">
        {moreItems > 0
          ? `The JSON has ${integerText(moreItems)} more ${moreItems === 1 ? 'item' : 'items'}, and every field.`
          : 'The JSON has every field.'}
      </p>
    </div>
  );
}
