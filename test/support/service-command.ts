import packageJson from '../../package.json' with { type: 'json' };

/** The arguments of `npm start`: tests and benchmarks run the built service as users do. */
export const serviceCommand: readonly string[] = packageJson.scripts.start.split(' ').slice(1);
