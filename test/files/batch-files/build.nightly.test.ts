import { describeKilledBuilds } from './killed-build.js';

describeKilledBuilds([0, 60, 120, 250, 500]);
