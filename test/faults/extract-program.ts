// The command line as one file, so that each of many processes starts in the time of a bare one.
import { main } from '../../src/faces/cli/main.js';

await main();
