import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { serverPath } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

/** The name in the configurations. */
export const HOST = 'cms.example.com';

export interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: Buffer;
  /** Of the client. */
  readonly localAddress?: string;
}

interface Ports {
  readonly http: number;
  readonly https: number;
}

async function collect(response: http.IncomingMessage): Promise<Got> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
}

/** A proxy with TLS in front of the service. */
export class Front {
  #output = '';

  constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly ports: Ports,
    readonly certificate: Buffer,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
  }

  /** A request that is not ended yet. */
  open(url: string, { method = 'GET', headers = {}, localAddress }: Sending = {}): http.ClientRequest {
    return https.request({
      host: '127.0.0.1',
      port: this.ports.https,
      path: url,
      method,
      servername: HOST,
      ca: this.certificate,
      agent: false,
      headers: { Host: HOST, ...headers },
      ...(localAddress !== undefined && { localAddress }),
    });
  }

  /** The answer as soon as its head is there. */
  async begin(url: string, sending: Sending = {}): Promise<http.IncomingMessage> {
    const request = this.open(url, sending);
    request.end(sending.body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  }

  async send(url: string, sending: Sending = {}): Promise<Got> {
    return collect(await this.begin(url, sending));
  }

  async untilListening(): Promise<this> {
    await waitFor('the proxy listens', () => {
      if (this.child.exitCode !== null) throw new Error(`The proxy ended: ${this.#output}`);
      return this.send('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    return this;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A folder with a certificate for the name. */
async function prepare(): Promise<{ folder: string; pem: string; key: string; ports: Ports }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-proxy-'));
  const [pem, key] = [path.join(folder, 'cms.pem'), path.join(folder, 'cms.key')];
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST},IP:127.0.0.1`];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', pem, ...subject], {
    stdio: 'ignore',
  });
  return { folder, pem, key, ports: { http: await freePort(), https: await freePort() } };
}

const shipped = (name: string): Promise<string> => readFile(path.join('src/deploy', name), 'utf8');

/** The shipped file but for its ports, folders and certificate. @param edit changes what a test has to see */
export async function startNginx(service: string, edit = (text: string) => text): Promise<Front> {
  const { folder, pem, key, ports } = await prepare();
  await mkdir(path.join(folder, 'cache'));
  const servers = edit(await shipped('nginx.conf'))
    .replace('/var/cache/nginx/headwater', path.join(folder, 'cache'))
    .replace('/etc/nginx/cms.example.com.pem', pem)
    .replace('/etc/nginx/cms.example.com.key', key)
    .replace('listen 80;', `listen 127.0.0.1:${String(ports.http)};`)
    .replace('listen 443 ', `listen 127.0.0.1:${String(ports.https)} `)
    .replaceAll('127.0.0.1:4000', new URL(service).host);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${path.join(folder, name)};`)
    .join(' ');
  const file = path.join(folder, 'nginx.conf');
  // Debian compresses HTML for every server.
  const http = `access_log off; gzip on; ${temporary}\n${servers}`;
  const main = `daemon off; pid ${path.join(folder, 'pid')}; error_log stderr;`;
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(file, `${user} ${main} events {} http { ${http}}`);
  const child = spawn(serverPath('NGINX'), ['-c', file, '-e', 'stderr']);
  return new Front(child, folder, ports, await readFile(pem)).untilListening();
}

/** The shipped file but for its ports and certificate. */
export async function startCaddy(service: string): Promise<Front> {
  const { folder, pem, key, ports } = await prepare();
  const site = (await shipped('Caddyfile'))
    .replace(`${HOST} {`, `${HOST} {\n  tls ${pem} ${key}`)
    .replace('127.0.0.1:4000', new URL(service).host);
  const global = `{\n  admin off\n  http_port ${String(ports.http)}\n  https_port ${String(ports.https)}\n}\n`;
  const file = path.join(folder, 'Caddyfile');
  await writeFile(file, global + site);
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(serverPath('CADDY'), ['run', '--adapter', 'caddyfile', '--config', file], { env });
  return new Front(child, folder, ports, await readFile(pem)).untilListening();
}
