import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unknownTypeIn } from '../../../src/features/media/media/receive/file-types.js';
import { verifies } from '../../support/verifies.js';
import { picture } from './pictures.js';
import { openReceiver, type Receiver } from './receiver.js';
import { compoundFile, icon, pdf } from './samples.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const SRT = '1\r\n00:00:01,000 --> 00:00:02,000\r\nHallo\r\n';
const ICS = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';

/** A picture of a phone, with a place. It is encoded as AVIF, which is the same container. */
async function heic(): Promise<Buffer> {
  const exif = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 30/1 0/1' } };
  const bytes = await picture().withExif(exif).avif().toBuffer();
  bytes.write('heic', 8, 'latin1');
  return bytes;
}

describe('Types of files', () => {
  verifies('media/received-types');

  let receiver: Receiver;
  let open: Receiver;

  beforeAll(async () => {
    [receiver, open] = [await openReceiver(), await openReceiver(undefined, ['default', 'image/heic'])];
  });

  afterAll(async () => {
    await receiver.close();
    await open.close();
  });

  it.each([
    ['letter.doc', compoundFile('WordDocument'), 'application/msword'],
    ['prices.xls', compoundFile('Workbook'), 'application/vnd.ms-excel'],
    ['old.xls', compoundFile('Book'), 'application/vnd.ms-excel'],
    ['talk.ppt', compoundFile('PowerPoint Document'), 'application/vnd.ms-powerpoint'],
    ['letter.rtf', Buffer.from('{\\rtf1 Hello}'), 'application/rtf'],
    ['captions.srt', Buffer.from(SRT), 'application/x-subrip'],
    ['captions.vtt', Buffer.from('WEBVTT\n'), 'text/vtt'],
    ['dates.ics', Buffer.from(ICS), 'text/calendar'],
    ['card.vcf', Buffer.from('BEGIN:VCARD\r\nEND:VCARD\r\n'), 'text/vcard'],
    ['favicon.ico', icon, 'image/vnd.microsoft.icon'],
  ])('accepts %s as it is', async (fileName, content, mimeType) => {
    const file = await receiver.receive(content, { fileName });
    expect(file).toMatchObject({ mimeType, fileName, width: null, placeholder: null, warnings: [] });
    expect((await receiver.storedBytes(file)).equals(content)).toBe(true);
  });

  it.each([
    ['prices.csv', latin1('Ort;Größe\nKöln;1\n'), 'Ort;Größe\nKöln;1\n'],
    ['prices.csv', Buffer.from([0x80, 0x3b, 0x31]), '€;1'],
    ['notes.txt', Buffer.from('\ufeffGröße', 'utf16le'), 'Größe'],
    ['captions.srt', latin1(SRT.replace('Hallo', 'Schöne Grüße')), SRT.replace('Hallo', 'Schöne Grüße')],
  ])('stores %s of another encoding as UTF-8 and says so', async (fileName, content, text) => {
    const file = await receiver.receive(content, { fileName });
    expect(file.warnings).toMatchObject([{ code: 'text_recoded', path: ['file'] }]);
    expect((await receiver.storedBytes(file)).toString()).toBe(text);
    expect(file.checksum).not.toBe(file.sourceChecksum);
  });

  it.each([
    ['an installer', compoundFile('\u4840\u3f3f'), 'setup.doc'],
    ['a document with macros', compoundFile('WordDocument', 'Macros'), 'letter.doc'],
    ['a workbook with macros', compoundFile('Workbook', '_VBA_PROJECT_CUR'), 'prices.xls'],
    ['a compound file that is cut off', compoundFile('WordDocument').subarray(0, 700), 'letter.doc'],
    ['a page in Latin-1', latin1('<!DOCTYPE html><p>ä<script>alert(1)</script>'), 'prices.csv'],
    ['a page in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script>', 'utf16le'), 'notes.txt'],
    ['a calendar with binary data', Buffer.from(`${ICS}\0\u0001`), 'dates.ics'],
    ['bytes of no single-byte encoding', Buffer.from([0x61, 0x81, 0x8d, 0x90]), 'prices.csv'],
    ['a script in Latin-1', latin1('alert("ä")'), 'x.js'],
  ])('refuses %s', async (_name, content, fileName) => {
    expect(await receiver.refusal(content, { fileName })).toMatchObject({ code: 'unsupported_file_type' });
  });

  it('refuses a directory of a compound file that has no end', async () => {
    const endless = compoundFile('WordDocument');
    endless.writeUInt32LE(1, 512 + 4);
    expect(await receiver.refusal(endless, { fileName: 'a.doc' })).toMatchObject({
      code: 'unsupported_file_type',
    });
  });

  it('says what to do with a HEIC picture', async () => {
    const refusal = await receiver.refusal(await heic(), { fileName: 'IMG_1.HEIC' });
    expect([refusal.code, refusal.details]).toEqual(['unsupported_file_type', { mimeType: 'image/heic' }]);
    expect(refusal.message).toContain('Export the picture as JPEG');
  });

  it('stores HEIC without its places and without dimensions where the setting names it', async () => {
    const source = await heic();
    expect(source.includes('Exif')).toBe(true);
    const file = await open.receive(source, { fileName: 'IMG_1.HEIC' });
    expect(file).toMatchObject({ mimeType: 'image/heic', width: null, placeholder: null, metadata: {} });
    const stored = await open.storedBytes(file);
    expect(stored.length).toBe(source.length);
    expect(stored.equals(source)).toBe(false);
    expect(stored.includes(Buffer.from('4d4d002a', 'hex')) || stored.includes('II*\0')).toBe(false);
  });

  it('are narrowed by the setting', async () => {
    const narrow = await openReceiver(undefined, ['image/*', 'text/csv']);
    try {
      expect(await narrow.receive(await picture().png().toBuffer())).toMatchObject({ mimeType: 'image/png' });
      expect(await narrow.receive(Buffer.from('a;b'), { fileName: 'a.csv' })).toMatchObject({
        mimeType: 'text/csv',
      });
      for (const [content, fileName, mimeType] of [
        [pdf, 'a.pdf', 'application/pdf'],
        [Buffer.from('plain'), 'a.txt', 'text/plain'],
      ] as const)
        expect(await narrow.refusal(content, { fileName })).toMatchObject({
          code: 'unsupported_file_type',
          details: { mimeType },
        });
    } finally {
      await narrow.close();
    }
  });

  it('are known, so that no setting makes a page, a script or a program acceptable', () => {
    for (const type of [
      'text/html',
      'text/javascript',
      'application/x-msdownload',
      'application/*x',
      '*/*',
      '',
    ])
      expect(unknownTypeIn(['default', type])).toBe(type);
    expect(unknownTypeIn(['image/*', 'application/pdf', 'image/heic', 'default'])).toBeUndefined();
  });
});
