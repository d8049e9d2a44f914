import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Answers, browserSite } from '../support/browser-site.js';
import { outputOf, type ProgramOutput } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A shell in an empty folder, with `extract` on its path. */
export interface Terminal {
  readonly folder: string;
  /** Writes a file of the user's own. */
  write(name: string, text: string): void;
  read(name: string): string;
  /** Types a line; rejects where its status is another one. */
  type(line: string, status?: number): Promise<ProgramOutput>;
  /** Returns the rows of a query, read by another build of SQLite than wrote them. */
  query(name: string, sql: string): Record<string, unknown>[];
}

/** Commands that can be tried without a network. */
const tried = 'batch|watch|media|google-maps|linkedin|instagram|tiktok';

/**
 * Opens a shell. `answers` simulates the platforms, without pacing; without it there is no network, and each command
 * that supports `--demo` gets that flag. `settings` are the user's.
 */
export async function openTerminal(
  answers?: Answers,
  settings: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const endings: (() => unknown)[] = [];
  after(() => Promise.all(endings.map((end) => end())));
  const site = await browserSite({ after: (end) => endings.push(end) }, temporaryFolder(), (request) =>
    answers?.(request),
  );
  const [folder, home, commands] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const program = path.join(packageRoot(), 'bin', 'extract.js');
  const command = `exec ${process.execPath} ${program} "$@"`;
  const demo = answers === undefined ? `case "$1" in ${tried}) ${command} --demo;; esac\n` : '';
  writeFileSync(path.join(commands, 'extract'), `#!/bin/sh\n${demo}${command}\n`, { mode: 0o755 });
  const env = {
    ...site.env,
    ...{ PATH: `${commands}:${process.env.PATH}`, HOME: home },
    EXTRACT_BROWSER: 'never',
    ...settings,
  };
  const shell = async (line: string) =>
    outputOf(spawn('bash', ['-o', 'pipefail', '-c', line], { cwd: folder, env }), '');
  return {
    folder,
    write: (name, text) => writeFileSync(path.join(folder, name), text),
    read: (name) => readFileSync(path.join(folder, name), 'utf8'),
    async type(line, status = 0) {
      const typed = await shell(line);
      if (typed.status !== status) throw new Error(`${line}: ${typed.status}\n${typed.err}${typed.out}`);
      return typed;
    },
    query(name, sql) {
      const db = new DatabaseSync(path.join(folder, name), { readOnly: true });
      try {
        return db
          .prepare(sql)
          .all()
          .map((row) => ({ ...row }));
      } finally {
        db.close();
      }
    },
  };
}
