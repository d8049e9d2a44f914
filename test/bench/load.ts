import net from 'node:net';
import { performance } from 'node:perf_hooks';

/** What a server did under load. */
export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds within which 99 of 100 answers came. */
  readonly p99: number;
  /** Answers that were not 200. */
  readonly refused: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const ok = Buffer.from('HTTP/1.1 200');

/**
 * Asks a server the same thing over keep-alive connections, each asking again as soon as it has its answer. Answers
 * are told apart by Content-Length and not looked into, so that the generator is not what is measured.
 */
export async function load(
  port: number,
  request: Buffer,
  { connections, ms }: { connections: number; ms: number },
): Promise<Load> {
  const times: number[] = [];
  let refused = 0;
  let over = false;
  const from = performance.now();
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
      let missing = -1;
      let asked = 0;
      const ask = () => {
        asked = performance.now();
        socket.write(request);
      };
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('close', () => (over ? resolve() : reject(new Error('the server hung up'))));
      socket.on('data', (chunk) => {
        if (missing < 0) {
          // Loopback gives a head whole: it is far below the size of a segment.
          const end = chunk.indexOf(headEnd);
          const head = chunk.toString('latin1', 0, end).toLowerCase();
          const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
          if (end < 0 || Number.isNaN(length)) {
            reject(new Error(`unexpected answer: ${head.slice(0, 200)}`));
            socket.destroy();
            return;
          }
          if (chunk.compare(ok, 0, ok.length, 0, ok.length) !== 0) refused += 1;
          missing = end + headEnd.length + length;
        }
        missing -= chunk.length;
        if (missing > 0) return;
        missing = -1;
        times.push(performance.now() - asked);
        if (performance.now() - from < ms) ask();
        else {
          over = true;
          socket.end();
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - from) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    rate: times.length / seconds,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    refused,
  };
}
