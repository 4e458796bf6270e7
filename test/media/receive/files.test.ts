import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { safeFileName } from '../../../src/features/media/media/receive/file-name.js';
import { verifies } from '../../support/verifies.js';
import { picture } from './pictures.js';
import { openReceiver, type Receiver } from './receiver.js';
import { pdf, startClamd, wav } from './samples.js';

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

describe('Received files', () => {
  verifies('media/received-files');

  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await openReceiver();
  });

  afterAll(() => receiver.close());

  it('counts the pages of a PDF and stores it unchanged', async () => {
    const file = await receiver.receive(pdf, { fileName: 'report.PDF' });
    expect(file).toMatchObject({
      mimeType: 'application/pdf',
      pages: 2,
      fileName: 'report.pdf',
      width: null,
    });
    expect(file.checksum).toBe(file.sourceChecksum);
    expect((await receiver.storedBytes(file)).equals(pdf)).toBe(true);
  });

  it('finds duration and codec of a recording', async () => {
    const file = await receiver.receive(wav(), { fileName: 'silence.wav', declaredType: 'audio/x-wav' });
    expect(file).toMatchObject({ mimeType: 'audio/wav', durationSeconds: 1, codec: 'PCM' });
  });

  it('blanks the user data of a video without moving any byte', async () => {
    const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'));
    const movie = (name: string, place: Buffer): Buffer =>
      box('moov', box('mvhd', Buffer.alloc(100)), box(name, place));
    const media = box('mdat', Buffer.from('pictures and sound'));
    const place = Buffer.from('+47.5000+009.0000/ GPS');
    const source = Buffer.concat([ftyp, movie('udta', place), media]);
    const stored = await receiver.storedBytes(await receiver.receive(source, { fileName: 'clip.mp4' }));
    expect(stored.equals(Buffer.concat([ftyp, movie('free', Buffer.alloc(place.length)), media]))).toBe(true);
  });

  it.each([
    ['prices.csv', 'a,b\n1,2\n', 'text/csv'],
    ['notes.txt', 'plain', 'text/plain'],
    ['data.json', '{"a":1}', 'application/json'],
    ['captions.vtt', 'WEBVTT\n', 'text/vtt'],
    ['README', 'plain', 'text/plain'],
  ])('accepts the text file %s', async (fileName, content, mimeType) => {
    expect(await receiver.receive(Buffer.from(content), { fileName })).toMatchObject({ mimeType });
  });

  it.each([
    ['an HTML page', Buffer.from('<!DOCTYPE html><script>alert(1)</script>'), 'page.txt'],
    ['an HTML page by name', Buffer.from('plain'), 'page.html'],
    ['a script by name', Buffer.from('alert(1)'), 'x.js'],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>'), 'a.xml'],
    [
      'a program',
      Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(200)]),
      'picture.png',
    ],
    ['binary data of no known type', Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]), 'x.bin'],
    [
      'a picture of a phone that cannot be decoded',
      box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
      'x.heic',
    ],
  ])('refuses %s', async (_name, content, fileName) => {
    const before = await receiver.files();
    expect(await receiver.refusal(content, { fileName })).toMatchObject({
      code: 'unsupported_file_type',
      status: 422,
    });
    expect(await receiver.files()).toEqual(before);
  });

  it('refuses a declared type of another kind, accepts another picture type, and names the file by content', async () => {
    const jpeg = await picture().jpeg().toBuffer();
    const refusal = await receiver.refusal(jpeg, { declaredType: 'application/pdf' });
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ code: 'type_mismatch' }] },
    });
    const file = await receiver.receive(jpeg, { fileName: 'photo.png', declaredType: 'image/png' });
    expect(file).toMatchObject({ mimeType: 'image/jpeg', fileName: 'photo.jpg' });
  });

  it('refuses an empty file and one that is too large, and stores nothing', async () => {
    const before = await receiver.files();
    expect(await receiver.refusal(Buffer.alloc(0))).toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ code: 'empty_file' }] },
    });
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536, 'a');
      })(),
    );
    expect(await receiver.refusal(endless, { maximumBytes: 1_000_000 })).toMatchObject({
      code: 'payload_too_large',
      status: 413,
    });
    expect(endless.destroyed).toBe(true);
    expect(await receiver.files()).toEqual(before);
  });

  it('stores nothing when the client goes away', async () => {
    const before = await receiver.files();
    const cut = Readable.from(
      (async function* () {
        yield await picture().png().toBuffer();
        throw new Error('aborted');
      })(),
    );
    await expect(receiver.receive(cut)).rejects.toThrow('aborted');
    expect(await receiver.files()).toEqual(before);
  });

  it('asks clamd, and says so when it does not respond', async () => {
    const clamd = await startClamd();
    const scanned = await openReceiver(clamd.url);
    try {
      expect(await scanned.receive(Buffer.from('harmless'))).toMatchObject({ scanStatus: 'clean' });
      expect(await scanned.receive(Buffer.from('EICAR'))).toMatchObject({ scanStatus: 'infected' });
      clamd.close();
      expect(await scanned.receive(Buffer.from('unscanned'))).toMatchObject({ scanStatus: 'failed' });
    } finally {
      clamd.close();
      await scanned.close();
    }
    expect(await receiver.receive(Buffer.from('no scanner'))).toMatchObject({ scanStatus: 'skipped' });
  });

  it.each([
    ['../../etc/passwd', 'passwd.jpg'],
    ['C:\\Users\\me\\photo.JPG', 'photo.jpg'],
    ['a\0b\r\nc.jpg', 'abc.jpg'],
    ['gpj.\u202Eexe.jpg', 'gpj.exe.jpg'],
    ['shell.php.jpg', 'shell.php.jpg'],
    ['page.html', 'page.html.jpg'],
    ['.htaccess', 'htaccess.jpg'],
    ['photo.jpg.', 'photo.jpg'],
    ['photo.png', 'photo.jpg'],
    ['', 'file.jpg'],
    ['con.jpg', 'file-con.jpg'],
    ['a"b;c.jpg', 'ab;c.jpg'],
    ['\uD800x.jpg', 'x.jpg'],
    ['ü é 日本.jpg', 'ü é 日本.jpg'],
  ])('names %j safely', (given, expected) => {
    expect(safeFileName(given, 'image/jpeg')).toBe(expected);
  });

  it('shortens a name of 300 characters and keeps its extension', () => {
    const name = safeFileName(`${'😀'.repeat(150)}.jpeg`, 'image/jpeg');
    expect(name.length).toBeLessThanOrEqual(200);
    expect(name).toMatch(/😀\.jpeg$/u);
  });

  it('says what to do with a HEIC or TIFF picture', async () => {
    const heic = Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1'),
      Buffer.alloc(64),
    ]);
    const tiff = Buffer.concat([Buffer.from('II*\0', 'latin1'), Buffer.alloc(64)]);
    for (const source of [heic, tiff])
      expect(await receiver.refusal(source)).toMatchObject({
        code: 'unsupported_file_type',
        message: expect.stringContaining('Export the picture as JPEG'),
      });
  });
});
