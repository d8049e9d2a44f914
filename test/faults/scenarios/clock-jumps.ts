import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { assertBooks, assertJob, newHome, pendingCalls } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario } from '../scenario.js';

/** Shifts the dates of a process by what a file says, from the moment on that it says so. */
const shifter = (file: string) => `
import { readFileSync } from 'node:fs';
let ahead = 0;
const read = () => { ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); };
read();
setInterval(read, 20).unref();
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given); }
  static now() { return Real.now() + ahead; }
};
`;

/** Sets the machine's date ahead and back while calls are under way. */
export const clockJumps: Scenario = {
  name: 'clock-jumps',
  about: 'the clock jumps by an hour, a day and back while calls are under way',
  async run({ folder, ms, program, platform, random }) {
    const home = await newHome(path.join(folder, 'home'));
    const [file, preload] = [path.join(folder, 'ahead'), path.join(folder, 'shift.mjs')];
    writeFileSync(file, '0');
    writeFileSync(preload, shifter(file));
    const serving = await program.serve(home.home, {
      env: platform.env,
      node: ['--import', pathToFileURL(preload).href],
    });
    const client = new Client(serving.url, home.secret);
    const names = Array.from({ length: 80 }, (_, at) => `job${at}`);
    const id = await client.job('job', names);
    const end = performance.now() + ms;
    let jumps = 0;
    platform.mood = 'slow';
    try {
      while (performance.now() < end || jumps < 3) {
        const asking = load(client, 8, random);
        await pause(300);
        const hours = [1, -1, 24, 0, -24, 1 / 12][jumps % 6] ?? 0;
        writeFileSync(file, String(hours * 3_600_000));
        jumps += 1;
        await pause(1_200);
        await asking.stop();
      }
    } finally {
      platform.mood = 'answers';
    }
    await assertJob(client, id ?? '', names, { home: home.home });
    serving.child.kill('SIGTERM');
    assert.equal(await serving.ended, 0, serving.output());
    assert.equal(pendingCalls(home), 0);
    assertBooks(home, client.answered);
    await client.close();
    const refused = client.answered.filter(({ status }) => status !== 200).length;
    assert.equal(refused, 0, JSON.stringify(client.answered.find(({ status }) => status !== 200)));
    return { jumps, answers: client.answered.length, refused };
  },
};
