import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { noBrowser } from '../support/browser-site.js';
import { median } from './compare.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const pages = Number(process.env.BENCH_PAGES ?? 60);
const folder = path.join(packageRoot(), 'test', 'bench', 'browser');
const hasCrawlee = existsSync(path.join(folder, 'node_modules', '@crawlee', 'playwright'));

interface Cost {
  readonly pages: number;
  readonly ms: number;
  readonly mb: number;
}

const perMinute = ({ pages: count, ms }: Cost) => (count * 60_000) / ms;

function verdict(met: boolean, text: string): void {
  console.log(`${met ? 'met   ' : 'MISSED'}  ${text}`);
}

if (noBrowser !== false) console.log(`left out: ${noBrowser}`);
else {
  const site = fork(path.join(folder, 'site-program.ts'), { execArgv: ['--import', 'tsx'], silent: true });
  if (site.stdout === null) throw new Error('The site says nothing.');
  const [told] = (await once(createInterface({ input: site.stdout }), 'line')) as [string];
  const cost = async (way: string): Promise<Cost> => {
    const program = path.join(folder, 'visit-program.ts');
    const args = ['--import', 'tsx', program, way, String(pages), told];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 });
    const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Cost;
    console.log(
      `        ${way.padEnd(10)} ${perMinute(measured).toFixed(0).padStart(5)} pages a minute  ${measured.mb} MB`,
    );
    return measured;
  };
  const ratios = { pages: [] as number[], memory: [] as number[], crawlee: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const [ours, bare] = [await cost('ours'), await cost('bare')];
    ratios.pages.push(perMinute(ours) / perMinute(bare));
    ratios.memory.push(ours.mb / bare.mb);
    if (hasCrawlee) ratios.crawlee.push(perMinute(ours) / perMinute(await cost('crawlee')));
  }
  const [share, memory] = [median(ratios.pages), median(ratios.memory)];
  verdict(share >= 0.9, `${share.toFixed(2)} of the pages of a bare playwright-core loop (at least 0.9)`);
  verdict(memory <= 1.15, `${memory.toFixed(2)} of its memory (at most 1.15)`);
  if (hasCrawlee) {
    const faster = median(ratios.crawlee);
    verdict(faster >= 1.3, `${faster.toFixed(1)} times crawlee’s PlaywrightCrawler (at least 1.3)`);
  } else console.log('        crawlee is left out: npm install --prefix test/bench/browser');
  site.disconnect();
}
