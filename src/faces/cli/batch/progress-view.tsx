import { Writable } from 'node:stream';
import { Box, render, Text } from 'ink';
import { useEffect, useState } from 'react';
import { duration } from '../../../output/duration.js';
import type { OutputStream } from '../context.js';
import {
  amountText,
  type BatchProgress,
  countsText,
  creditsText,
  type ProgressDisplay,
  rateOf,
  secondsLeft,
  shareOf,
  visitsText,
} from './progress.js';

const interval = 100;
/** Sequences for colours and dim text, which do not move the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const styles = /\u001b\[[\d;]*m/g;

function Bar({ share, width }: { share: number; width: number }) {
  const full = Math.round(share * width);
  return (
    <Text>
      <Text color="cyan">{'█'.repeat(full)}</Text>
      <Text dimColor>{'░'.repeat(width - full)}</Text>
    </Text>
  );
}

export function ProgressView({ moment, now, width }: { moment: BatchProgress; now: number; width: number }) {
  const { totals, rest, visits, stopping, tellsCredits } = moment;
  const share = shareOf(moment);
  const remainingSeconds = secondsLeft(moment);
  const rate = rateOf(moment);
  const seconds = rest === undefined ? 0 : Math.ceil((rest.until - now) / 1000);
  const pieces = [
    amountText(moment),
    ...(rate === 0 ? [] : [`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`]),
    ...(remainingSeconds === undefined
      ? []
      : [`${rate === 0 ? 'about ' : ''}${duration(remainingSeconds)} left`]),
  ];
  return (
    <Box flexDirection="column" width={width}>
      <Box columnGap={1}>
        {share === undefined ? null : <Bar share={share} width={Math.max(5, Math.min(30, width - 45))} />}
        <Text wrap="truncate-end">
          {share === undefined ? '' : `${Math.floor(share * 100)}% · `}
          {pieces.join(' · ')}
        </Text>
      </Box>
      <Text wrap="truncate-end">
        {countsText(totals, moment.without)}
        {tellsCredits ? ` · ${creditsText(totals)}` : ''}
      </Text>
      {seconds > 0 && rest !== undefined ? (
        <Text color="yellow" wrap="truncate-end">
          {rest.error.code.replaceAll('_', ' ')}: retrying in {duration(seconds)}
        </Text>
      ) : null}
      {visits.open > 0 ? <Text wrap="truncate-end">{visitsText(moment)}</Text> : null}
      {stopping ? (
        <Text dimColor>Finishing the current request; press Ctrl-C again to stop immediately.</Text>
      ) : null}
    </Box>
  );
}

function Live({ moment, width }: { moment: () => BatchProgress; width: () => number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, []);
  return <ProgressView moment={moment()} now={now} width={width()} />;
}

/** Shows the progress on a terminal, redrawing it, and removes it at the end. */
export function viewProgress(
  sink: OutputStream,
  moment: () => BatchProgress,
  color: boolean,
): ProgressDisplay {
  const width = () => Math.max(20, (sink.columns ?? 80) - 1);
  const stream = Object.assign(
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        sink.write(color ? text : text.replace(styles, '')).then(
          () => done(),
          () => done(),
        );
      },
    }),
    { isTTY: true, columns: width(), rows: 24 },
  );
  const rendering = render(<Live moment={moment} width={width} />, {
    stdout: stream as unknown as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    // The caller has checked the terminal; ink would draw nothing if CI is set.
    interactive: true,
  });
  return {
    async end() {
      rendering.clear();
      rendering.unmount();
      await new Promise<void>((resolve) => stream.end(resolve));
    },
  };
}
