// Inlines the decoded table of character references instead of the code that unpacks it.

/** The tables of `entities`, packed for browsers that download them. */
const table = /\/entities\/dist\/generated\/(decode-data-\w+)\.js$/;

/**
 * A demo call does not need them, and spent 9 % of its processor time on unpacking (Node 24, 2026-11). The machines
 * that Node.js runs on are little-endian, like the text.
 */
export function plainTables() {
  return {
    name: 'plain-tables',
    async load(id) {
      if (!table.test(id)) return null;
      const exported = Object.entries(await import(id)).map(([name, numbers]) => {
        const text = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
        const bytes = `Uint8Array.from(Buffer.from('${text}', 'base64')).buffer`;
        return `export const ${name} = /* @__PURE__ */ new Uint16Array(/* @__PURE__ */ ${bytes});`;
      });
      return { code: exported.join('\n'), moduleType: 'js', moduleSideEffects: false };
    },
  };
}
