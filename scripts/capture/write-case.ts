import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Case } from '../../lib/samples.js';
import { decodedBody, type Route } from '../../lib/web/routes.js';
import type { AnonymousCall } from './anonymise.js';

const exactly = (text: string) => `^${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

function extensionOf(text: string): string {
  return /^\s*</.test(text) ? 'html' : 'json';
}

/** Writes a case to a folder, with its pages and the expected answers; replaces one of the same name. */
export function writeCase(folder: string, slug: string, name: string, call: AnonymousCall): string[] {
  mkdirSync(folder, { recursive: true });
  const names: string[] = [];
  const write = (file: string, text: string) => {
    writeFileSync(path.join(folder, file), text);
    names.push(path.join(folder, file));
  };
  const pages = call.exchanges.map(({ request, answer }, index): Route => {
    const file = `${slug}-${index + 1}.${extensionOf(answer.text)}`;
    if (answer.text !== '') write(file, answer.text);
    return {
      url: request.url,
      ...(request.method === 'POST' && {
        method: 'POST',
        requestBody: exactly(decodedBody(request.body ?? '')),
      }),
      ...(answer.status !== 200 && { status: answer.status }),
      ...(Object.keys(answer.headers).length > 0 && { headers: answer.headers }),
      ...(answer.finalUrl !== null && { finalUrl: answer.finalUrl }),
      ...(answer.text !== '' && { file }),
    };
  });
  const { error } = call.outcome;
  const expect = call.outcome.pages.map(({ data }, index) => {
    const file = `${slug}${call.outcome.pages.length > 1 ? `-${index + 1}` : ''}.expected.json`;
    write(file, `${JSON.stringify(data, null, 2)}\n`);
    return file;
  });
  const one: Case = {
    name,
    params: call.params,
    pages,
    ...(expect.length > 0 && { expect }),
    ...(error && { error: error.code as NonNullable<Case['error']> }),
  };
  const index = path.join(folder, 'cases.json');
  const cases = existsSync(index) ? (JSON.parse(readFileSync(index, 'utf8')) as Case[]) : [];
  const others = cases.filter((other) => other.name !== name);
  write('cases.json', `${JSON.stringify([...others, one], null, 2)}\n`);
  return names;
}
