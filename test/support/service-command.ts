import packageJson from '../../package.json' with { type: 'json' };

/** What `npm start` gives to node: tests and benches run the service as its users do, from what has been built. */
export const serviceCommand: readonly string[] = packageJson.scripts.start.split(' ').slice(1);
