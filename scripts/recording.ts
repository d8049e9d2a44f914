import { printObjects } from './printed.js';

/** The command that is typed, and the number of lines shown of its output. */
const scenes: readonly (readonly [args: readonly string[], lines: number])[] = [
  [['tiktok', 'profile', 'mira.kettle', '--demo'], 14],
  [['google-maps', 'places', 'bakery in Graz', '--demo', '--limit', '3'], 6],
  [['instagram', 'profile', 'fern.atlas', '--demo', '--fields', 'username,followers_count'], 4],
];

const columns = 88;
const rowHeight = 19;
const seconds = { letter: 0.045, answer: 3.5 };

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const quoted = (arg: string) => (arg.includes(' ') ? `"${arg}"` : arg);

/** Returns a terminal recording as a self-playing SVG: each scene is typed, answered, and replaced by the next. */
export async function recording(): Promise<string> {
  const parts: string[] = [];
  let at = 0.5;
  const starts: number[] = [];
  for (const [args, most] of scenes) {
    const command = `extract ${args.map(quoted).join(' ')}`;
    const answer = (await printObjects(args, { tty: true, columns })).trimEnd().split('\n').slice(0, most);
    const typedAt = at + command.length * seconds.letter;
    const letters = [...command].map((letter, index) => {
      const begin = (at + index * seconds.letter).toFixed(2);
      return `<tspan opacity="0">${escaped(letter)}<set attributeName="opacity" to="1" begin="${begin}s"/></tspan>`;
    });
    const rows = answer.map(
      (line, index) => `<text x="16" y="${54 + (index + 1) * rowHeight}">${escaped(line)}</text>`,
    );
    const end = typedAt + seconds.answer;
    starts.push(at);
    parts.push(
      `<g><text x="16" y="54"><tspan class="prompt">$ </tspan>${letters.join('')}</text>`,
      `<g opacity="0"><set attributeName="opacity" to="1" begin="${typedAt.toFixed(2)}s"/>${rows.join('')}</g>`,
      starts.length < scenes.length
        ? `<set attributeName="display" to="none" begin="${end.toFixed(2)}s"/></g>`
        : '</g>',
    );
    at = end;
  }
  const height = 70 + Math.max(...scenes.map(([, most]) => most)) * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="820" height="${height}" viewBox="0 0 820 ${height}" role="img" aria-label="A terminal in which extract answers three commands">`,
    '<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d7dae0;white-space:pre}.prompt{fill:#7fb069}</style>',
    '<rect width="100%" height="100%" rx="8" fill="#1b1e24"/>',
    '<circle cx="20" cy="18" r="5" fill="#59606b"/><circle cx="38" cy="18" r="5" fill="#59606b"/><circle cx="56" cy="18" r="5" fill="#59606b"/>',
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
