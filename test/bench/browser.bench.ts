import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { siteApart } from '../support/browser-load.js';
import { noBrowser } from '../support/browser-site.js';
import { fromSource } from '../support/from-source.js';
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
  const site = await siteApart();
  const cost = async (way: string): Promise<Cost> => {
    const program = path.join(folder, 'visit-program.ts');
    const args = [...fromSource, program, way, String(pages), JSON.stringify(site)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 });
    const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Cost;
    console.log(
      `        ${way.padEnd(13)} ${perMinute(measured).toFixed(0).padStart(5)} pages a minute  ${measured.mb} MB`,
    );
    return measured;
  };
  const ratios = {
    pages: [] as number[],
    memory: [] as number[],
    crawlee: [] as number[],
    alike: [] as number[],
  };
  const ways = ['ours', 'bare', ...(hasCrawlee ? ['crawlee', 'crawlee-alike'] : [])];
  for (let round = 0; round < rounds; round += 1) {
    const costs = new Map<string, Cost>();
    // Every second round goes the other way round: what else the machine does falls on all alike.
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) costs.set(way, await cost(way));
    const [ours, bare, crawlee, alike] = ['ours', 'bare', 'crawlee', 'crawlee-alike'].map((way) =>
      costs.get(way),
    );
    if (ours === undefined || bare === undefined) throw new Error('A way was not gone.');
    ratios.pages.push(perMinute(ours) / perMinute(bare));
    ratios.memory.push(ours.mb / bare.mb);
    if (crawlee !== undefined) ratios.crawlee.push(perMinute(ours) / perMinute(crawlee));
    if (alike !== undefined) ratios.alike.push(perMinute(ours) / perMinute(alike));
  }
  const [share, memory] = [median(ratios.pages), median(ratios.memory)];
  verdict(share >= 0.9, `${share.toFixed(2)} of the pages of a bare playwright-core loop (at least 0.9)`);
  verdict(memory <= 1.15, `${memory.toFixed(2)} of its memory (at most 1.15)`);
  if (hasCrawlee) {
    const faster = median(ratios.crawlee);
    verdict(
      faster >= 1.3,
      `${faster.toFixed(2)} times crawlee’s PlaywrightCrawler as it comes (at least 1.3)`,
    );
    // Nothing is much faster than the bare loop, so one that does the same is passed by less.
    console.log(`        ${median(ratios.alike).toFixed(2)} times the same set up to do what ours does`);
  } else console.log('        crawlee is left out: npm install --prefix test/bench/browser');
  site.end();
}
