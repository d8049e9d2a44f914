import manifest from '../../package.json' with { type: 'json' };

/** Version of the package. */
export const version: string = manifest.version;
