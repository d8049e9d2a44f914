// The first module of a program that tests bundle. Node writes what it compiled when a process ends by itself; one that
// is killed leaves it to the next as well, once its modules are loaded.
import { flushCompileCache } from 'node:module';

setImmediate(flushCompileCache);
