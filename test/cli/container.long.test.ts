import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environment, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';

const context = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A stage of the image: a folder that stands for the root of its file system. */
interface Stage {
  readonly root: string;
  directory: string;
  env: Record<string, string>;
  healthCheck: string[];
  command: string[];
}

/** Runs the instructions of the Dockerfile with folders in place of images, because no container engine is needed so. */
class Build {
  readonly #stages = new Map<string, Stage>();
  #stage: Stage | undefined;

  constructor(private readonly folder: string) {}

  get image(): Stage {
    if (this.#stage === undefined) throw new Error('No stage was begun.');
    return this.#stage;
  }

  async step(line: string): Promise<void> {
    const [instruction = '', rest = ''] = [
      line.slice(0, line.indexOf(' ')),
      line.slice(line.indexOf(' ') + 1),
    ];
    if (instruction === 'FROM') return this.#begin(/ AS (\S+)$/.exec(rest)?.[1] ?? 'image');
    const { image } = this;
    if (instruction === 'WORKDIR') {
      image.directory = rest;
      await mkdir(image.root + rest, { recursive: true });
    } else if (instruction === 'ENV')
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) image.env[name] = value;
    else if (instruction === 'COPY') await this.#copy(rest.split(' '));
    else if (instruction === 'RUN') await this.#run(rest);
    else if (instruction === 'CMD') image.command = JSON.parse(rest) as string[];
    else if (instruction === 'HEALTHCHECK')
      image.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) as string[];
    else expect(['VOLUME', 'USER', 'EXPOSE', 'STOPSIGNAL']).toContain(instruction);
  }

  /** A path of the image in the folder that stands for it. */
  inImage(text: string): string {
    return text.replace(/(^|[\s=])\/(?=app\b|build\b|data\b)/g, `$1${this.image.root}/`);
  }

  async #begin(name: string): Promise<void> {
    const root = path.join(this.folder, name);
    await mkdir(path.join(root, 'tools'), { recursive: true });
    // The image has the user; this machine may not.
    await writeFile(path.join(root, 'tools/chown'), '#!/bin/sh\nexit 0\n');
    await chmod(path.join(root, 'tools/chown'), 0o755);
    this.#stage = { root, directory: '/', env: {}, healthCheck: [], command: [] };
    this.#stages.set(name, this.#stage);
  }

  async #copy(words: readonly string[]): Promise<void> {
    const { image } = this;
    const stage = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const paths = words.filter((word) => !word.startsWith('--'));
    const target = paths.at(-1) ?? '';
    const from = stage === undefined ? context : (this.#stages.get(stage)?.root ?? '');
    const to = path.resolve(image.root + path.resolve(image.directory, target));
    const isFolder = target.endsWith('/') || paths.length > 2;
    for (const source of paths.slice(0, -1)) {
      const file = path.join(from, source);
      const place = isFolder && !source.endsWith('headwater') ? path.join(to, path.basename(source)) : to;
      await cp(file, place, {
        recursive: true,
        filter: (name) => !name.includes('/node_modules', context.length) || stage !== undefined,
      });
    }
  }

  async #run(command: string): Promise<void> {
    const { root, directory, env } = this.image;
    const tools = [path.join(root, 'tools'), path.dirname(process.execPath), process.env.PATH].join(':');
    await run('sh', ['-ec', this.inImage(command)], {
      cwd: root + directory,
      env: { HOME: process.env.HOME, ...env, PATH: tools },
      maxBuffer: 50_000_000,
    });
  }
}

let folder: string;
let build: Build;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-image-'));
  build = new Build(folder);
  database = await createTestDatabase();
  const lines = (await readFile(path.join(context, 'Dockerfile'), 'utf8')).split('\n');
  for (const line of lines) if (/^[A-Z]+ /.test(line)) await build.step(line);
}, 600_000);

afterAll(async () => {
  await ServiceProcess.killAll();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('The image of the service', () => {
  it('has compiled code for the first start, which every user may read', async () => {
    const place = path.join(build.image.root, 'app/dist/build/compile-cache');
    const files = await readdir(place, { recursive: true, withFileTypes: true });
    expect(files.length).toBeGreaterThan(50);
    for (const { name, parentPath } of files)
      expect((await stat(path.join(parentPath, name))).mode & 0o444).toBe(0o444);
  });

  it('starts with its command and is healthy by its health check', async () => {
    const { env, command, healthCheck, root } = build.image;
    const given = { ...env, PORT: '0', HOST: '127.0.0.1', HEADWATER_DATA_DIR: path.join(root, 'data') };
    const [, ...args] = command;
    const service = await ServiceProcess.start(
      database.url,
      given,
      args.map((one) => build.inImage(one)),
    );
    const { port } = new URL(service.url);
    const [, ...check] = healthCheck;
    await run(process.execPath, check, { env: { ...environment(database.url, given), PORT: port } });
    await expect(run(process.execPath, check, { env: { PORT: '1' } })).rejects.toMatchObject({ code: 1 });
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
