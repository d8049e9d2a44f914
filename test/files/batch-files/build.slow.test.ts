import { describeKilledBuilds } from './killed-build.js';

describeKilledBuilds([120]);
