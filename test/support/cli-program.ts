import { main } from '../../src/faces/cli/main.js';

/** The command line from its sources, for tests that need a process of it. */
await main();
