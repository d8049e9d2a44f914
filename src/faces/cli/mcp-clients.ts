import { homedir, platform } from 'node:os';
import path from 'node:path';
import { quotedFor } from '../../output/shell-words.js';

/** How a client reaches the tools: by starting a program, or over HTTP. */
export type Connection =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly key: string | undefined };

export interface Client {
  readonly id: string;
  readonly name: string;
  /** Returns the configuration file; null for a command to run instead. */
  file(): string | null;
  /** Returns null if the client does not support the connection. */
  configuration(connection: Connection): string | null;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function program({ command, args, env }: Extract<Connection, { command: string }>) {
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
}

const headersOf = (key: string | undefined) =>
  key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } };

/** A client with a JSON file; only the names in it differ. */
function jsonClient(
  id: string,
  name: string,
  file: () => string,
  section: string,
  url: { readonly name: string; readonly more?: object } | null,
  more: object = {},
): Client {
  return {
    id,
    name,
    file,
    configuration(connection) {
      if ('command' in connection)
        return json({ [section]: { extract: { ...more, ...program(connection) } } });
      if (url === null) return null;
      const server = { ...url.more, [url.name]: connection.url, ...headersOf(connection.key) };
      return json({ [section]: { extract: server } });
    },
  };
}

const inHome = (...parts: string[]) => path.join(homedir(), ...parts);

/** Returns the folder for application settings on this system. */
function settingsFolder(): string {
  switch (platform()) {
    case 'darwin':
      return inHome('Library', 'Application Support');
    case 'win32':
      return inHome('AppData', 'Roaming');
    default:
      return inHome('.config');
  }
}

const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  file: () => null,
  configuration(connection) {
    const words =
      'command' in connection
        ? [
            ...Object.entries(connection.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
            '--',
            connection.command,
            ...connection.args,
          ]
        : [
            connection.url,
            ...(connection.key === undefined ? [] : ['--header', `Authorization: Bearer ${connection.key}`]),
          ];
    const transport = 'command' in connection ? 'stdio' : 'http';
    return `${['claude', 'mcp', 'add', '--transport', transport, 'extract', ...words].map((word) => quotedFor(word)).join(' ')}\n`;
  },
};

/** JSON strings and lists are valid TOML. */
const codex: Client = {
  id: 'codex',
  name: 'Codex',
  file: () => inHome('.codex', 'config.toml'),
  configuration(connection) {
    const lines =
      'command' in connection
        ? [
            `command = ${JSON.stringify(connection.command)}`,
            `args = ${JSON.stringify(connection.args)}`,
            ...Object.entries(connection.env).map(
              ([name, value]) => `env.${name} = ${JSON.stringify(value)}`,
            ),
          ]
        : [
            `url = ${JSON.stringify(connection.url)}`,
            ...(connection.key === undefined
              ? []
              : [`http_headers = { Authorization = ${JSON.stringify(`Bearer ${connection.key}`)} }`]),
          ];
    return `[mcp_servers.extract]\n${lines.join('\n')}\n`;
  },
};

/** Clients with their configuration (2026-11). */
export const clients: readonly Client[] = [
  jsonClient(
    'claude-desktop',
    'Claude Desktop',
    () => path.join(settingsFolder(), 'Claude', 'claude_desktop_config.json'),
    'mcpServers',
    null,
  ),
  claudeCode,
  jsonClient('cursor', 'Cursor', () => inHome('.cursor', 'mcp.json'), 'mcpServers', { name: 'url' }),
  jsonClient(
    'vscode',
    'VS Code (GitHub Copilot)',
    () => path.join('.vscode', 'mcp.json'),
    'servers',
    { name: 'url', more: { type: 'http' } },
    { type: 'stdio' },
  ),
  jsonClient('windsurf', 'Windsurf', () => inHome('.codeium', 'windsurf', 'mcp_config.json'), 'mcpServers', {
    name: 'serverUrl',
  }),
  codex,
  jsonClient('gemini', 'Gemini CLI', () => inHome('.gemini', 'settings.json'), 'mcpServers', {
    name: 'httpUrl',
  }),
  jsonClient(
    'zed',
    'Zed',
    () => path.join(platform() === 'win32' ? settingsFolder() : inHome('.config'), 'zed', 'settings.json'),
    'context_servers',
    { name: 'url' },
  ),
];
