import net from 'node:net';
import { parentPort } from 'node:worker_threads';

/** A part of a request: a text repeated a number of times, with `#` replaced by the number. */
export type Part = string | { readonly text: string; readonly times: number };

export interface RawRequest {
  readonly port: number;
  /** Head without its end and without a length. */
  readonly head: readonly string[];
  readonly body: readonly Part[] | null;
  /** Size of each chunk of the body in bytes; undefined for a body with a length. */
  readonly chunk?: number;
}

const expand = (part: Part) =>
  typeof part === 'string'
    ? part
    : part.text.includes('#')
      ? Array.from({ length: part.times }, (_, at) => part.text.replaceAll('#', String(at))).join('')
      : part.text.repeat(part.times);

/** A body in chunks of this many bytes. */
function chunked(bytes: Buffer, size: number): Buffer {
  const head = `${size.toString(16)}\r\n`;
  const parts: string[] = [];
  const text = bytes.toString('latin1');
  const fullLength = text.length - (text.length % size);
  for (let at = 0; at < fullLength; at += size) parts.push(head, text.slice(at, at + size), '\r\n');
  if (fullLength < text.length)
    parts.push(`${(text.length - fullLength).toString(16)}\r\n${text.slice(fullLength)}\r\n`);
  parts.push('0\r\n\r\n');
  return Buffer.from(parts.join(''), 'latin1');
}

function send({ port, head, body, chunk }: RawRequest): Promise<string> {
  const payload = body === null ? null : Buffer.from(body.map(expand).join(''));
  const bytes = payload !== null && chunk !== undefined ? chunked(payload, chunk) : payload;
  const lines = [
    ...head.map((line) => line.replace(/\{(.)x(\d+)\}/g, (_, text, times) => text.repeat(Number(times)))),
  ];
  if (bytes !== null)
    lines.push(chunk === undefined ? `Content-Length: ${bytes.length}` : 'Transfer-Encoding: chunked');
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

// A separate thread creates and sends requests, so that this does not count as the server's work.
parentPort?.on('message', (request: RawRequest) => {
  void send(request).then((answer) => parentPort?.postMessage(answer.slice(0, 2000)));
});
