import packageJson from '../../package.json' with { type: 'json' };

/** The version of the service, as its documents state it. */
export const version: string = packageJson.version;
