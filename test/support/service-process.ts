import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { serviceCommand } from './service-command.js';
import { bounded } from './bounded.js';
import { secretWatch } from './secrets/secret-watch.js';

const sessionSecret = 'a secret of processes, more than thirty-two bytes long';
secretWatch.learn(sessionSecret, 'secret of sessions');

/** Longer than a process may take to stop. */
const STOP_MS = 25_000;

export function environment(databaseUrl: string, more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return {
    ...(PATH !== undefined && { PATH }),
    ...(HOME !== undefined && { HOME }),
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SESSION_JWT_SECRET: sessionSecret,
    HEADWATER_SEED_DEMO: '0',
    PORT: '0',
    HEADWATER_PROCESSES: '1',
    ...more,
  };
}

/** The built service in its own process, on a free port. */
export class ServiceProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  #rest = '';
  readonly #exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  /** Killed after a failed test. */
  static readonly #running = new Set<ServiceProcess>();

  private constructor(
    databaseUrl: string,
    env: Readonly<Record<string, string>>,
    command: readonly string[],
  ) {
    ServiceProcess.#running.add(this);
    this.#child = spawn(process.execPath, [...command], {
      env: environment(databaseUrl, env),
      // The service does not use the channel; a module that a test preloads may.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#exit = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        ServiceProcess.#running.delete(this);
        resolve({ code, signal });
      });
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#take(text);
      });
  }

  /**
   * Starts the service and waits until it listens.
   * @param command arguments of node, by default those of `npm start`
   */
  static async start(
    databaseUrl: string,
    env: Readonly<Record<string, string>> = {},
    command: readonly string[] = serviceCommand,
  ): Promise<ServiceProcess> {
    const service = new ServiceProcess(databaseUrl, env, command);
    await service.#untilListening();
    return service;
  }

  static async killAll(): Promise<void> {
    await Promise.all([...ServiceProcess.#running].map((service) => service.kill('SIGKILL')));
  }

  get url(): string {
    for (const line of this.lines) {
      const url = /"baseUrl":"([^"]+)"/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error('The service is not listening yet.');
  }

  /** Asks the preloaded module of a test. */
  async ask<T>(question: string): Promise<T> {
    const answer = once(this.#child, 'message') as Promise<[T]>;
    this.#child.send(question);
    return (await answer)[0];
  }

  /** Sends a signal and waits for the exit; kills a process that does not end. */
  async kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.#child.kill(signal);
    if (!(await bounded(`A process after ${signal}`, this.#exit, STOP_MS))) this.#child.kill('SIGKILL');
    return this.#exit;
  }

  async #untilListening(): Promise<void> {
    while (!this.lines.some((line) => line.includes('"listening"'))) {
      const ended = await Promise.race([
        this.#exit.then(() => true),
        once(this.#child.stdout ?? this.#child, 'data').then(() => false),
      ]);
      if (ended) throw new Error(`the service ended:\n${this.lines.join('\n')}${this.#rest}`);
    }
  }

  #take(text: string): void {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    this.lines.push(...parts);
    for (const line of parts) secretWatch.line(line);
  }
}

export async function runCommand(
  databaseUrl: string,
  [name, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [`dist/${name}.js`, ...args], {
    env: environment(databaseUrl, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}
