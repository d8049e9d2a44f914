import { Box, Text } from 'ink';
import wrapAnsi from 'wrap-ansi';
import { absent, listText, scalarText, summary } from './text.js';

type Entry = readonly [name: string, value: unknown];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isListOfObjects = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.some(isObject);

/** Columns of the names: the longest, but never more than half of the line. */
function nameWidth(entries: readonly Entry[], width: number): number {
  return Math.min(Math.max(...entries.map(([name]) => name.length)), Math.floor(width / 2)) + 2;
}

/** Text in lines of a width. ink would wrap it, too, but begin lines with the blank between words. */
const wrapped = (text: string, width: number) => wrapAnsi(text, Math.max(1, width), { hard: true });

interface LineProps {
  readonly name: string;
  readonly value: string;
  /** Columns of the names. */
  readonly column: number;
  readonly width: number;
}

function Line({ name, value, column, width }: LineProps) {
  return (
    <Box>
      <Box width={column} flexShrink={0} paddingRight={2}>
        <Text color="cyan">{name}</Text>
      </Box>
      <Text dimColor={value === absent}>{wrapped(value, width - column)}</Text>
    </Box>
  );
}

function Inner({ name, value, width }: { name: string; value: unknown; width: number }) {
  if (isObject(value)) {
    return (
      <Box flexDirection="column">
        <Text color="cyan">{name}</Text>
        <Box paddingLeft={2}>
          <Card object={value} width={width - 2} />
        </Box>
      </Box>
    );
  }
  const items = value as readonly object[];
  return (
    <Box flexDirection="column">
      <Text color="cyan">
        {name} <Text dimColor>({items.length})</Text>
      </Text>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, and the items have no key in common
        <Box key={index} paddingLeft={2}>
          <Text dimColor>• </Text>
          <Text>{wrapped(summary(item), width - 4)}</Text>
        </Box>
      ))}
    </Box>
  );
}

/** An object as its fields, a line each; objects inside are indented, lists of objects a line an item. */
export function Card({ object, width }: { object: Readonly<Record<string, unknown>>; width: number }) {
  const entries = Object.entries(object);
  const column = nameWidth(entries, width);
  return (
    <Box flexDirection="column" width={width}>
      {entries.map(([name, value]) =>
        isObject(value) || isListOfObjects(value) ? (
          <Inner key={name} name={name} value={value} width={width} />
        ) : (
          <Line
            key={name}
            name={name}
            value={Array.isArray(value) ? listText(value) : scalarText(value) || '""'}
            column={column}
            width={width}
          />
        ),
      )}
    </Box>
  );
}
