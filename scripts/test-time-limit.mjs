// Ends a process of tests that is not over after twenty minutes: a program it waits for in vain must not hold up all
// others. The scenarios of faults take six on two quiet cores (2026-11). It says what it was waiting for: a test, or
// what tests that are over have left open.
import { underWay } from './test-reporter.mjs';

const minutes = 20;
const end = () => {
  const waiting = [...underWay.keys()].map((where) => `  ${where}`);
  console.error(`${process.argv[1]} is not over after ${minutes} minutes.`);
  console.error(waiting.length > 0 ? `Under way:\n${waiting.join('\n')}` : 'All of its tests are over.');
  console.error(`It waits for: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
};
setTimeout(end, minutes * 60_000).unref();
