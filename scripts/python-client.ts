import { version } from '../lib/runtime/version.js';
import { errorModules } from './python/errors.js';
import { methodModules } from './python/methods.js';
import { objectModules } from './python/objects.js';
import { docstring, moduleText } from './python/source.js';
import { stepsModule } from './python/steps.js';
import { timesModule } from './python/times.js';

/** Returns the generated modules of the Python client, by path from the root. */
export function pythonClient(): Record<string, string> {
  const about = docstring([
    'The version of this package, which equals the version of the server that it was generated from.',
  ]);
  const modules = {
    '_version.py': moduleText('The version.', [], [`VERSION = "${version}"`, about]),
    'steps.py': stepsModule(),
    '_times.py': timesModule(),
    ...errorModules(),
    ...objectModules(),
    ...methodModules(),
  };
  return Object.fromEntries(
    Object.entries(modules).map(([name, text]) => [`clients/python/src/public_extract/${name}`, text]),
  );
}
