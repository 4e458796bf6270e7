import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ComplexFile } from '../../../src/infrastructure/files/complex-file.js';
import { DamagedFile } from '../../../src/infrastructure/files/file-window.js';
import { ImageProcess, ImageProcessFailure } from '../../../src/infrastructure/image-work/image-process.js';
import { renderImage, type ImageRecipe } from '../../../src/infrastructure/images/render-image.js';
import { builtFile } from '../../../src/infrastructure/worker-calls.js';
import { drawing } from '../../support/hostile/costly-drawings.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { picture } from '../receive/pictures.js';

const recipe: ImageRecipe = {
  resize: { width: 30, height: 20 },
  format: 'webp',
  quality: 80,
  background: undefined,
  isProgressive: false,
};

describe('The process that renders pictures', () => {
  verifies('media/renditions', 'media/received-drawings');

  const images = new ImageProcess(builtFile('image-process'));
  let directory: string;
  let file: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-images-'));
    file = path.join(directory, 'photo.jpg');
    await writeFile(file, await picture().jpeg().toBuffer());
  });

  afterAll(async () => {
    if (images.pid !== undefined) process.kill(images.pid, 'SIGKILL');
    await rm(directory, { recursive: true });
  });

  it('renders several at once, with less priority than the service', async () => {
    const widths = [10, 20, 30];
    const made = await Promise.all(
      widths.map((width) => images.render(file, { ...recipe, resize: { width, height: 20 } })),
    );
    const expected = await Promise.all(
      widths.map((width) => renderImage(file, { ...recipe, resize: { width, height: 20 } })),
    );
    expect(made.map((bytes, index) => bytes.equals(expected[index] ?? Buffer.alloc(0)))).toEqual(
      widths.map(() => true),
    );
    expect(getPriority(images.pid)).toBeGreaterThan(getPriority());
  });

  it('reports damaged pictures and goes on', async () => {
    const damaged = path.join(directory, 'damaged.jpg');
    await writeFile(damaged, 'not a picture');
    await expect(images.render(damaged, recipe)).rejects.toThrow(DamagedFile);
    expect((await images.render(file, recipe)).length).toBeGreaterThan(0);
  });

  it('fails what it was doing when it is killed, and starts again', async () => {
    const { pid = 0 } = images;
    process.kill(pid, 'SIGSTOP');
    const pending = images.render(file, recipe).catch((error: unknown) => error);
    process.kill(pid, 'SIGKILL');
    expect(await pending).toBeInstanceOf(ImageProcessFailure);
    await waitFor('the process is gone', () => Promise.resolve(images.pid === undefined));
    expect((await images.render(file, recipe)).length).toBeGreaterThan(0);
    expect(images.pid).not.toBe(pid);
  });

  it('refuses a drawing that takes longer than it may, and starts again', async () => {
    const drawingFile = path.join(directory, 'drawing.svg');
    await writeFile(drawingFile, drawing('<rect width="9" height="9"/>'.repeat(15_000)));
    const limited = new ImageProcess(builtFile('image-process'), {
      milliseconds: { inspect: 1 },
      refusal: () => new ComplexFile('seconds', 1),
    });
    await expect(limited.inspect(drawingFile)).rejects.toThrow(ComplexFile);
    await waitFor('the process is gone', () => Promise.resolve(limited.pid === undefined));
    expect((await limited.sanitize(drawingFile)).removed).toEqual([]);
    await expect(images.inspect(drawingFile)).resolves.toMatchObject({ width: 40 });
  });

  it('refuses no drawing because the machine is busy: processor time counts', async () => {
    const drawingFile = path.join(directory, 'slow.svg');
    await writeFile(drawingFile, drawing('<rect width="9" height="9"/>'.repeat(8000)));
    const limited = new ImageProcess(builtFile('image-process'), {
      milliseconds: { inspect: 1000 },
      refusal: () => new ComplexFile('seconds', 1),
    });
    await limited.readHeader(file);
    const facts = limited.inspect(drawingFile);
    await setTimeout(30);
    process.kill(limited.pid ?? 0, 'SIGSTOP');
    await setTimeout(1200);
    process.kill(limited.pid ?? 0, 'SIGCONT');
    await expect(facts).resolves.toHaveProperty('width');
  });

  it('is killed when it hangs, and starts again', async () => {
    const limited = new ImageProcess(builtFile('image-process'), { startMilliseconds: 50 });
    const hung = limited.render(file, recipe).catch((error: unknown) => error);
    process.kill(limited.pid ?? 0, 'SIGSTOP');
    expect(await hung).toBeInstanceOf(ImageProcessFailure);
    await waitFor('the process is gone', () => Promise.resolve(limited.pid === undefined));
  });
});
