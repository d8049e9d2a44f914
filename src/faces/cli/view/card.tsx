import { Box, Text } from 'ink';
import wrapAnsi from 'wrap-ansi';
import { isRecord } from '../../../../lib/read/json.js';
import { namedNumber } from '../../../output/item-text.js';
import { printableLine } from '../printable.js';
import { coordinates, placeLines } from './place-text.js';
import { absent, listText, scalarText, summary } from './text.js';

type Entry = readonly [name: string, value: unknown];

const isListOfObjects = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.some(isRecord);

/** Returns the width of the names, at most half of the line. */
function nameWidth(entries: readonly Entry[], width: number): number {
  return Math.min(Math.max(...entries.map(([name]) => name.length)), Math.floor(width / 2)) + 2;
}

/** Wraps text. ink would leave the space between words at the start of a line. */
const wrapped = (text: string, width: number) => wrapAnsi(text, Math.max(1, width), { hard: true });

/**
 * Shortens a long address in the middle. Terminals that support links open and copy the full address. Without
 * colours, `--json` has it.
 */
function addressText(url: string, width: number): string {
  const room = Math.max(16, width) - 1;
  const end = Math.floor(room / 3);
  const short = `${url.slice(0, room - end)}…${url.slice(url.length - end)}`;
  return `\u001b]8;;${url}\u0007${short}\u001b]8;;\u0007`;
}

const isLongAddress = (text: string, width: number) => text.length > width && /^https?:\/\/\S+$/.test(text);

interface LineProps {
  readonly name: string;
  readonly value: string;
  readonly column: number;
  readonly width: number;
}

function Line({ name, value, column, width }: LineProps) {
  return (
    <Box>
      <Box width={column} flexShrink={0} paddingRight={2}>
        <Text color="cyan">{name}</Text>
      </Box>
      <Text dimColor={value === absent}>
        {isLongAddress(value, width - column)
          ? addressText(value, width - column)
          : wrapped(value, width - column)}
      </Text>
    </Box>
  );
}

/** Texts that contain commas, such as addresses or hours, need one line each. */
const needsLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.some((one) => typeof one === 'string' && one.includes(', '));

function Lines({ name, lines, width }: { name: string; lines: readonly string[]; width: number }) {
  return (
    <Box flexDirection="column">
      <Text color="cyan">{name}</Text>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
        <Box key={index} paddingLeft={2}>
          <Text>{wrapped(line, width - 2)}</Text>
        </Box>
      ))}
    </Box>
  );
}

function Inner({ name, value, width }: { name: string; value: unknown; width: number }) {
  if (isRecord(value)) {
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

function lineText(name: string, value: unknown): string {
  if (Array.isArray(value)) return listText(value);
  if (typeof value === 'number') return namedNumber(name, value);
  return coordinates(value) ?? (scalarText(value) || '""');
}

/** Renders an object with one line per field; inner objects are indented, lists of objects have one line per item. */
export function Card({ object, width }: { object: Readonly<Record<string, unknown>>; width: number }) {
  const entries = Object.entries(object);
  const column = nameWidth(entries, width);
  return (
    <Box flexDirection="column" width={width}>
      {entries.map(([name, value]) => {
        const lines = placeLines(value) ?? (needsLines(value) ? value.map(printableLine) : null);
        if (lines !== null) return <Lines key={name} name={name} lines={lines} width={width} />;
        if ((isRecord(value) && coordinates(value) === null) || isListOfObjects(value)) {
          return <Inner key={name} name={name} value={value} width={width} />;
        }
        return <Line key={name} name={name} value={lineText(name, value)} column={column} width={width} />;
      })}
    </Box>
  );
}
