import { Box, Text } from 'ink';
import { gap } from './fit.js';

interface Cells {
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  readonly numeric: readonly boolean[];
}

function Row({ cells, widths, numeric, head }: Cells & { head: boolean }) {
  return (
    <Box columnGap={gap}>
      {cells.map((cell, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
          key={index}
          width={widths[index] ?? 0}
          flexShrink={0}
          justifyContent={numeric[index] === true ? 'flex-end' : 'flex-start'}
        >
          <Text bold={head} wrap="truncate-end">
            {cell}
          </Text>
        </Box>
      ))}
    </Box>
  );
}

/** Renders rows in columns under `names`; numbers are right-aligned, long texts truncated. */
export function Table({
  names,
  rows,
  widths,
  numeric,
}: Omit<Cells, 'cells'> & {
  readonly names: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <Box flexDirection="column">
      {names === null ? null : <Row cells={names} widths={widths} numeric={numeric} head />}
      {rows.map((cells, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
        <Row key={index} cells={cells} widths={widths} numeric={numeric} head={false} />
      ))}
    </Box>
  );
}
