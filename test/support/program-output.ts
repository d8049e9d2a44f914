import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The result of a program: its exit status, null if a signal ended it, and everything it wrote. */
export interface ProgramOutput {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Writes a program's input, and waits for its end. */
export async function outputOf(child: ChildProcess, input?: string): Promise<ProgramOutput> {
  const texts = { out: '', err: '' };
  // A program that reads nothing may already have closed its input.
  child.stdin?.on('error', () => undefined);
  if (input !== undefined) child.stdin?.end(input);
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    texts.out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    texts.err += chunk;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...texts };
}

/** Resolves once a watch has announced its next run, which means that the previous one is complete. */
export function saysNextRun(watch: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    watch.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (/^Next run /m.test(text)) resolve();
    });
    watch.once('exit', () => reject(new Error(text)));
  });
}

/** Resolves with the address on which a server says that it listens. Rejects with its output if it ends first. */
export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, address] = /Listening on (\S+)\n/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', () => reject(new Error(text)));
  });
}
