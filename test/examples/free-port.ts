import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A port that no server listens at. */
export async function freePort(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
