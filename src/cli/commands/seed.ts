import process from 'node:process';
import { readConfig } from '../../process/config/config.js';
import { createLogger } from '../../infrastructure/logger.js';
import { openRuntime } from '../../process/run/runtime.js';
import { readCredentials } from '../client/credentials.js';
import { loadDemo } from '../demo/load-demo.js';
import { welcome } from '../demo/welcome.js';
import { runCommand } from '../command-line.js';

const help = `
Usage: npm run seed

Loads the demo project into the database and prints its addresses. A second run changes nothing.
`;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { publicBaseUrl, host, port } = config.http;
  const dataDirectory = config.storage.directory;
  const runtime = await openRuntime({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    // A running server has stored its address.
    const known = await readCredentials(dataDirectory);
    const baseUrl = publicBaseUrl ?? known?.baseUrl ?? `http://${host}:${String(port)}`;
    const demo = await loadDemo({ composition: runtime.composition, dataDirectory, baseUrl });
    process.stdout.write(
      welcome(demo).replace('Headwater is ready', 'The demo is loaded. Once started, Headwater is available'),
    );
  } finally {
    await runtime.close();
  }
}

runCommand(help, main);
