import type { Plugin } from 'esbuild';
import * as pageAssets from '../../src/output/site/asset-texts.js';

/** Replaces the module that reads the pages' texts from the sources, as the build does. */
export const packedAssets: Plugin = {
  name: 'packed-assets',
  setup(build) {
    const lines = Object.entries(pageAssets).map(
      ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
    );
    build.onLoad({ filter: /\/site\/asset-texts\.ts$/ }, () => ({ contents: lines.join('\n') }));
  },
};
