import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Platform, startPlatform } from './platform.js';
import { buildProgram, type Program } from './program.js';
import { randomFrom } from './scenario.js';
import { scenarios } from './scenarios.js';

/** Milliseconds for each, with the same choices every time. `npm run nightly` breaks it in every way, and longer. */
const ms = 2_000;
const seed = 18;
const short = ['kill-serve', 'small-disk', 'postgres-kills', 'postgres-restart'];

describe('a program that is killed, or robbed of its disk or database, keeps its promises', () => {
  const folder = temporaryFolder();
  let program: Program;
  let platform: Platform;
  before(async () => {
    [program, platform] = await Promise.all([buildProgram(), startPlatform(folder)]);
  });
  after(() => {
    platform.close();
    program.close();
  });
  for (const scenario of scenarios.filter(({ name }) => short.includes(name))) {
    test(`${scenario.name}: ${scenario.about}`, { skip: scenario.skip?.() ?? false }, async (t) => {
      const scenarioFolder = path.join(folder, scenario.name);
      mkdirSync(scenarioFolder);
      platform.mood = 'answers';
      const figures = await scenario.run({
        folder: scenarioFolder,
        ms,
        program,
        platform,
        random: randomFrom(seed),
      });
      program.killAll();
      t.diagnostic(JSON.stringify(figures));
    });
  }
});
