import type { Command } from 'commander';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { completionCommands } from './words.js';
import { zshScript } from './zsh.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The completion script of a program for a shell. */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](completionCommands(program));
}
