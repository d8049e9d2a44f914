import { homedir } from 'node:os';
import path from 'node:path';
import { skillName } from './skill-text.js';

export interface SkillClient {
  readonly id: string;
  readonly name: string;
  /** Returns the path of this skill's file: in the home directory, or in the project's. */
  file(): string;
}

const client = (id: string, name: string, ...folder: readonly string[]): SkillClient => ({
  id,
  name,
  file: () => path.join(homedir(), ...folder, 'skills', skillName, 'SKILL.md'),
});

/** Clients with their skills folder (2026-11). */
export const skillClients: readonly SkillClient[] = [
  client('claude-code', 'Claude Code', '.claude'),
  client('codex', 'Codex', '.codex'),
  client('cursor', 'Cursor', '.cursor'),
  client('vscode', 'VS Code (GitHub Copilot)', '.copilot'),
  client('gemini', 'Gemini CLI', '.gemini'),
  {
    id: 'project',
    name: 'This project',
    file: () => path.join('.agents', 'skills', skillName, 'SKILL.md'),
  },
];
