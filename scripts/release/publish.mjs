// Publishes a release once its files exist. Each step knows whether it is done, so a run that failed halfway is simply
// repeated. Only the owner of the names and the keys can run them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const succeeds = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Returns the steps, in order: `{ name, isDone(), command }`, with the command and its arguments as a list. */
export function publishSteps({ version, out, packageFile, name }) {
  const tag = `v${version}`;
  const image = `${name}:${version}`;
  const files = () =>
    readdirSync(out, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => path.join(out, entry.name));
  return [
    {
      name: 'tag',
      isDone: () => succeeds('git', 'rev-parse', '--verify', '--quiet', `refs/tags/${tag}`),
      command: ['git', 'tag', '--annotate', tag, '--file', path.join(out, 'NOTES.md')],
    },
    {
      name: 'push',
      isDone: () => succeeds('git', 'ls-remote', '--exit-code', '--tags', 'origin', tag),
      command: ['git', 'push', 'origin', tag],
    },
    {
      name: 'npm',
      isDone: () => succeeds('npm', 'view', `${name}@${version}`, 'version'),
      command: ['npm', 'publish', path.join(out, packageFile), '--provenance', '--access', 'public'],
    },
    {
      name: 'n8n',
      isDone: () => succeeds('npm', 'view', `n8n-nodes-${name}@${version}`, 'version'),
      command: [
        ...['npm', 'publish', path.join(out, `n8n-nodes-${name}-${version}.tgz`)],
        ...['--provenance', '--access', 'public'],
      ],
    },
    {
      name: 'pypi',
      isDone: () => false,
      command: [
        'twine',
        'upload',
        '--skip-existing',
        ...files().filter((file) => /\.whl$|public_extract-.*\.tar\.gz$/.test(file)),
      ],
    },
    {
      name: 'image',
      isDone: () => succeeds('skopeo', 'inspect', `docker://${image}`),
      command: ['bash', 'scripts/release/image.sh', path.join(out, packageFile), image],
    },
    {
      name: 'files',
      isDone: () => succeeds('gh', 'release', 'view', tag),
      command: ['gh', 'release', 'create', tag, '--notes-file', path.join(out, 'NOTES.md'), ...files()],
    },
  ];
}
