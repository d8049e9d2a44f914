// A thread of clients that connect, send one request each, count it, and wait for the answers.
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, count, sent } = workerData as {
  readonly host: string;
  readonly port: number;
  readonly count: number;
  readonly sent: Int32Array;
};

const ask = () =>
  new Promise<string>((resolve) => {
    const socket = net.connect(port, host);
    let answer = '';
    socket.setEncoding('latin1').on('data', (part) => {
      answer += part;
    });
    socket.on('error', (error) => {
      answer += error.message;
    });
    socket.once('close', () => resolve(answer));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', () => {
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    });
  });

const answers = await Promise.all(Array.from({ length: count }, ask));
parentPort?.postMessage(answers);
