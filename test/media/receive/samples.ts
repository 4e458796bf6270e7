import { once } from 'node:events';
import net from 'node:net';

/** A document of two pages. */
export const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n' +
    'trailer<</Root 1 0 R>>\n%%EOF',
);

/** One second of silence. */
export function wav(): Buffer {
  const data = Buffer.alloc(8000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** A document of Office before 2007 with these streams. */
export function compoundFile(...names: string[]): Buffer {
  const [header, fat, directory] = [0, 1, 2].map(() => Buffer.alloc(512)) as [Buffer, Buffer, Buffer];
  header.write('d0cf11e0a1b11ae1', 0, 'hex');
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(0, 76);
  fat.fill(0xff);
  fat.writeUInt32LE(0xfffffffd, 0);
  fat.writeUInt32LE(0xfffffffe, 4);
  ['Root Entry', ...names].forEach((name, index) => {
    const length = directory.write(name, index * 128, 'utf16le');
    directory.writeUInt16LE(length + 2, index * 128 + 64);
  });
  return Buffer.concat([header, fat, directory]);
}

/** An icon of one pixel. */
export const icon = Buffer.concat([
  Buffer.from('00000100010001010000010020003000000016000000', 'hex'),
  Buffer.alloc(48),
]);

/** clamd that finds the word EICAR. */
export async function startClamd(): Promise<{ readonly url: string; close(): void }> {
  const server = net.createServer((socket) => {
    let seen = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk]);
      if (seen.length < 4 || seen.readUInt32BE(seen.length - 4) !== 0) return;
      socket.end(seen.includes('EICAR') ? 'stream: Eicar FOUND\0' : 'stream: OK\0');
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return { url: `clamd://127.0.0.1:${String(port)}`, close: () => server.close() };
}
