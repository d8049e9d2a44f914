// The first module of a program that tests bundle. Node writes its compile cache when a process exits normally. This
// writes it once the modules are loaded, so that a killed process leaves it to the next as well.
import { flushCompileCache } from 'node:module';

setImmediate(flushCompileCache);
