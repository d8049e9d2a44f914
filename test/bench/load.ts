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

/** Bytes of an answer that begins a chunk: its head and what the head promises. */
function sizeOf(chunk: Buffer): number {
  // Loopback gives a head whole: it is far below the size of a segment.
  const end = chunk.indexOf(headEnd);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  if (Number.isNaN(length)) throw new Error(`unexpected answer: ${chunk.toString('latin1', 0, 200)}`);
  return end + headEnd.length + length;
}

export interface LoadOptions {
  readonly connections: number;
  /** Milliseconds after which the load stops. */
  readonly ms: number;
}

/**
 * Asks a server the same thing over keep-alive connections, each asking again as soon as it has its answer.
 * Content-Length separates the answers, so their bodies need no parsing. They are read into one buffer past the streams,
 * so that the bench does not measure the generator.
 */
export async function load(port: number, request: Buffer, { connections, ms }: LoadOptions): Promise<Load> {
  const times: number[] = [];
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let refused = 0;
  let over = false;
  const from = performance.now();
  const one = () =>
    new Promise<void>((resolve, reject) => {
      let missing = 0;
      let sentAt = 0;
      const ask = (now: number) => {
        sentAt = now;
        socket.write(request);
      };
      const take = (count: number) => {
        if (missing === 0) {
          const chunk = buffer.subarray(0, count);
          if (chunk.compare(ok, 0, ok.length, 0, ok.length) !== 0) refused += 1;
          missing = sizeOf(chunk);
        }
        missing -= count;
        if (missing > 0) return;
        const now = performance.now();
        times.push(now - sentAt);
        if (now - from >= ms) {
          over = true;
          socket.end();
        } else ask(now);
      };
      const callback = (count: number): boolean => {
        try {
          take(count);
        } catch (error) {
          reject(error);
          socket.destroy();
        }
        return true;
      };
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
      socket.on('connect', () => ask(performance.now()));
      socket.on('error', reject);
      socket.on('close', () => (over ? resolve() : reject(new Error('the server hung up'))));
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
