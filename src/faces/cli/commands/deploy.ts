import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import type { Context } from '../context.js';

/** The sample files of the package, by name. */
export const deploySamples = {
  systemd: 'extract.service',
  'backup-service': 'extract-backup.service',
  'backup-timer': 'extract-backup.timer',
  env: 'extract.env',
  compose: 'compose.yaml',
  'compose-postgres': 'compose-postgres.yaml',
  containerfile: 'Containerfile',
  nginx: 'nginx.conf',
  caddy: 'Caddyfile',
  prometheus: 'prometheus-rules.yaml',
  grafana: 'grafana-dashboard.json',
} as const;

const afterword = `
Examples:
  extract server deploy systemd > /etc/systemd/system/extract.service
  extract server deploy nginx > /etc/nginx/conf.d/extract.conf`;

/** `extract server deploy WHAT`: prints a sample configuration for a server. */
export function defineCommand(command: Command, context: Context): void {
  command
    .addArgument(new Argument('<what>', 'The sample to print').choices(Object.keys(deploySamples)))
    .addHelpText('after', afterword)
    .action(async (what: keyof typeof deploySamples) => {
      const file = path.join(packageRoot(), 'deploy', deploySamples[what]);
      await context.stdout.write(await readFile(file, 'utf8'));
    });
}
