import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { serviceCommand } from '../support/service-command.js';
import { start, type Measured } from './processes.js';
import { sessionSecret } from './seed-content.js';

/**
 * Starts the service as `npm start` does and waits until it is ready. @param settings environment variables
 * that override the defaults
 * @param isUnpinned whether it may run on every core
 */
export async function startService(
  url: string,
  settings: Readonly<Record<string, string>> = {},
  isUnpinned = false,
): Promise<Measured> {
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    PORT: String(port),
    SESSION_JWT_SECRET: sessionSecret,
    HEADWATER_SEED_DEMO: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  return start({ name: 'headwater', args: serviceCommand, env, port, probe: '/readyz', isUnpinned });
}
