import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Platform, startPlatform } from './platform.js';
import { buildProgram, type Program } from './program.js';
import { randomFrom } from './scenario.js';
import { scenarios } from './scenarios.js';

/** Milliseconds for each: the short form of `npm run faults`, with the same choices every time. */
const ms = 2_000;
const seed = 18;

/** Tests of the scenarios that are over PostgreSQL, or of the others. */
export function testScenarios(about: string, isOverPostgres: boolean): void {
  describe(about, () => {
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
    for (const scenario of scenarios.filter(({ name }) => name.startsWith('postgres-') === isOverPostgres)) {
      test(`${scenario.name}: ${scenario.about}`, { skip: scenario.skip?.() ?? false }, async (t) => {
        const own = path.join(folder, scenario.name);
        mkdirSync(own);
        platform.mood = 'answers';
        const figures = await scenario.run({ folder: own, ms, program, platform, random: randomFrom(seed) });
        program.killAll();
        t.diagnostic(JSON.stringify(figures));
      });
    }
  });
}
