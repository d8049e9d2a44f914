// Ends a test file that is not over after twenty minutes: a program it waits for in vain must not hold up all other files.
// The scenarios of faults take six on two quiet cores (2026-11).
const minutes = 20;
const end = () => {
  console.error(`${process.argv[1]} is not over after ${minutes} minutes.`);
  process.exit(1);
};
setTimeout(end, minutes * 60_000).unref();
