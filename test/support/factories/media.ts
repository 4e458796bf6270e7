import { crc32, deflateSync } from 'node:zlib';
import type { TestApp } from '../app.js';
import { must } from '../call.js';
import { unique, type TestProject } from './project.js';

export interface TestAsset {
  readonly id: string;
  readonly version: number;
  readonly fileName: string;
  readonly mimeType: string;
  readonly checksum: string;
  readonly sourceChecksum: string;
  readonly storageKey: string;
  readonly url: string;
  readonly altText: string | null;
  readonly usageCount: number;
  readonly tags: readonly string[];
}

/** A text file that no other test uploads. */
export const textFile = (text = unique()) => ({
  fileName: `${unique()}.txt`,
  content: Buffer.from(text).toString('base64'),
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

interface PngImage {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** 0 is grey, 2 is RGB. */
  readonly colourType: number;
  /** Each row begins with its filter, 0. */
  readonly rows: Buffer;
  readonly comment?: string;
}

/** A PNG of these pixels. */
export function encodePng({ width, height, bitDepth, colourType, rows, comment }: PngImage): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(comment === undefined ? [] : [chunk('tEXt', Buffer.from(`Comment\0${comment}`))]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG of one random colour. */
export function png(width = 3, height = 2): Buffer {
  const colour = [0, 0, 0].map(() => Math.floor(Math.random() * 256));
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return encodePng({ width, height, bitDepth: 8, colourType: 2, rows, comment: unique() });
}

/** Uploads a file, by default a picture; `body` adds to the request. */
export function uploadAsset(
  app: TestApp,
  { management, keys }: TestProject,
  body: Record<string, unknown> = {},
): Promise<TestAsset> {
  const file = { fileName: `${unique()}.png`, content: png().toString('base64') };
  return must<TestAsset>(app, {
    method: 'POST',
    path: `${management}/media/upload`,
    key: keys.management,
    body: { file, ...body },
  });
}
