import net from 'node:net';
import { parentPort } from 'node:worker_threads';

/** A part of a request: a text so many times, or one a number, with `#` for the number. */
export type Part = string | { readonly text: string; readonly times: number };

export interface RawRequest {
  readonly port: number;
  /** Head without its end and without a length. */
  readonly head: readonly string[];
  readonly body: readonly Part[] | null;
}

const expand = (part: Part) =>
  typeof part === 'string'
    ? part
    : part.text.includes('#')
      ? Array.from({ length: part.times }, (_, at) => part.text.replaceAll('#', String(at))).join('')
      : part.text.repeat(part.times);

function send({ port, head, body }: RawRequest): Promise<string> {
  const bytes = body === null ? null : Buffer.from(body.map(expand).join(''));
  const lines = [
    ...head.map((line) => line.replace(/\{(.)x(\d+)\}/g, (_, text, times) => text.repeat(Number(times)))),
  ];
  if (bytes !== null) lines.push(`Content-Length: ${bytes.length}`);
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    let answer = '';
    socket.on('data', (data) => {
      if (answer.length < 4096) answer += data.toString('latin1');
    });
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(answer));
    socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    if (bytes !== null) socket.write(bytes);
  });
}

// A thread of its own makes and sends requests, so that their making does not count as the server's work.
parentPort?.on('message', (request: RawRequest) => {
  void send(request).then((answer) => parentPort?.postMessage(answer.slice(0, 2000)));
});
