import { deflateSync } from 'node:zlib';
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

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, body, check]);
}

/** A PNG of one random colour. */
export function png(width = 3, height = 2): Buffer {
  const colour = [0, 0, 0].map(() => Math.floor(Math.random() * 256));
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${unique()}`)),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
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
