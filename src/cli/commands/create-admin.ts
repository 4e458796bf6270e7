import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../../process/config/config.js';
import { createSuperAdmin } from '../../features/access/sessions/index.js';
import { createLogger } from '../../infrastructure/logger.js';
import { openRuntime } from '../../process/run/runtime.js';
import { systemScope } from '../../persistence/work/unit-of-work.js';
import { runCommand, UsageError } from '../command-line.js';

const help = `
Usage: npm run create-admin -- --email <address> [--name <name>]

Creates a super-admin. The password is ADMIN_PASSWORD, otherwise it is generated and printed.
`;

/** The password is ADMIN_PASSWORD, otherwise generated and printed. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' }, name: { type: 'string' } } });
  const email = z.email().safeParse(values.email);
  if (!email.success) throw new UsageError('Name an e-mail address.');
  const chosen = process.env.ADMIN_PASSWORD;
  const password = chosen ?? randomBytes(18).toString('base64url');
  const config = readConfig(process.env);
  const runtime = await openRuntime({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    const request = {
      scope: systemScope({ command: 'create-admin' }),
      isReadOnly: false,
      lock: 'none',
    } as const;
    const admin = { email: email.data, name: values.name ?? 'Administrator', password };
    await runtime.composition.services.units.run(request, (work) => createSuperAdmin(work, admin));
    console.log(
      `Created the super-admin ${email.data}.${chosen === undefined ? ` Password: ${password}` : ''}`,
    );
  } finally {
    await runtime.close();
  }
}

runCommand(help, main);
