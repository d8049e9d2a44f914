// Takes Node's own modules as they are, where code imports them.
import { isBuiltin } from 'node:module';

const prefix = '\0builtin:';

/**
 * Commander asks for it to start programs, which ours never does. It brings sockets along: 6 % of the processor time of a
 * demo call (Node 24, 2026-11). All that it exports are functions and one class, which is called by nobody.
 */
const unused = 'node:child_process';

const exportsOf = (whole, names) =>
  `export { ${whole} as default, ${names.map((key) => `node_${key} as ${key}`).join(', ')} };`;

/** A module that is taken when the program's first use of it is made: each of its functions takes it. */
function lateCode(name, names) {
  const late = names.map(
    (key) => `${key}: (...given) => process.getBuiltinModule('${name}').${key}(...given)`,
  );
  return `const late = { ${late.join(', ')} };
    ${names.map((key) => `const node_${key} = late.${key};`).join('\n')}
    ${exportsOf('late', names)}`;
}

/** A module that is taken at once. A call that is marked as pure is left out where nobody uses what it gives. */
function earlyCode(name, names) {
  return `const whole = /* @__PURE__ */ process.getBuiltinModule('${name}');
    const taken = (key) => whole[key];
    ${names.map((key) => `const node_${key} = /* @__PURE__ */ taken('${key}');`).join('\n')}
    ${exportsOf('whole', names)}`;
}

/**
 * An `import` of `node:fs` has Node read every property of it, which loads its streams; of `node:crypto`, web crypto;
 * of `node:process`, the standard input. Taken with `process.getBuiltinModule`, only what is used is loaded: 5 % of
 * the processor time of a demo call (Node 24, 2026-11).
 */
export function nodeModules() {
  return {
    name: 'node-modules',
    resolveId(id, _, { kind }) {
      // The bundler's own code asks for `node:module`, which has nothing to spare; CommonJS gets the module itself.
      return kind === 'import-statement' && isBuiltin(id) && id !== 'node:module' ? prefix + id : null;
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = id.slice(prefix.length);
      const names = Object.keys(process.getBuiltinModule(name)).filter((key) => key !== 'default');
      const code = name === unused ? lateCode(name, names) : earlyCode(name, names);
      return { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}
