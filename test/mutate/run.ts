import { endpoints } from '../../lib/endpoints.js';
import { mutate } from './mutate.js';

/**
 * `npm run mutate [WORD…] [--every N] [--known]`: changes pages by program, and asks what becomes of the answers. It
 * prints each new breach; with `--known`, the known ones, too.
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--') && !/^\d+$/.test(word));
const option = (name: string) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const every = Number(option('--every') ?? 1);
const tellsKnown = process.argv.includes('--known');
let broken = 0;
console.log(
  '| endpoint | changes | same | less | refused | known | broken | s |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
);
for (const endpoint of endpoints) {
  if (words.length > 0 && !words.some((word) => endpoint.path.includes(word))) continue;
  const began = performance.now();
  const counts = { same: 0, less: 0, refused: 0, known: 0, broken: 0 };
  for await (const { subject, kind, what, became, breaches } of mutate(endpoint, { every })) {
    counts[became] += 1;
    for (const breach of became === 'known' && !tellsKnown ? [] : breaches) {
      console.error(
        `${subject} · ${kind} · ${what} · ${breach.kind} · ${breach.path} · ${breach.what}`.slice(0, 400),
      );
    }
  }
  broken += counts.broken;
  const { same, less, refused, known } = counts;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `| ${endpoint.path} | ${same + less + refused + known + counts.broken} | ${same} | ${less} | ${refused} | ${known} | ${counts.broken} | ${seconds} |`,
  );
}
if (broken > 0) process.exitCode = 1;
