import { createHash } from 'node:crypto';
import {
  appendFile,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { packTar, type TarEntry } from 'modern-tar';
import { lineFiles } from '../../src/cli/export/export-format.js';
import { ExportReader } from '../../src/cli/export/read-export.js';
import { useDemoExport } from '../support/demo-export.js';

const demo = useDemoExport();

/** Why an export cannot be read. */
async function refusal(place: string): Promise<string> {
  try {
    const reader = await ExportReader.open(place);
    for (const file of lineFiles) for await (const _ of reader.lines(file));
    await reader.close();
    return 'read';
  } catch (error) {
    return (error as Error).message.replaceAll(demo().folder, '');
  }
}

/** A copy of the sample that is changed. */
async function damaged(change: (copy: string) => Promise<unknown>): Promise<string> {
  const { folder, sample } = demo();
  const copy = await mkdtemp(path.join(folder, 'copy-'));
  await cp(sample, copy, { recursive: true });
  await change(copy);
  return (await refusal(copy)).replace(/\/copy-\w+/, 'copy');
}

const item = (
  name: string,
  body: Buffer | string = '',
  type: 'file' | 'directory' | 'symlink' = 'file',
): TarEntry => ({
  header: { name, type, size: body.length, ...(type === 'symlink' && { linkname: '/etc/passwd' }) },
  ...(type === 'file' && { body: Buffer.from(body) }),
});

async function archived(items: readonly TarEntry[]): Promise<string> {
  const file = path.join(demo().folder, 'hostile.tar.gz');
  await writeFile(file, gzipSync(await packTar(items)));
  return refusal(file);
}

describe('A damaged export is refused with the file and the line', () => {
  it('that was stopped before its end', async () => {
    expect(await damaged((copy) => rm(path.join(copy, 'manifest.json')))).toMatch(/has no manifest\.json/);
  });

  /** Replaces lines of a file, and nothing in the manifest. */
  const edit = (file: string, change: (lines: string[]) => string[]) => async (copy: string) => {
    const place = path.join(copy, file);
    await writeFile(place, change((await readFile(place, 'utf8')).split('\n')).join('\n'));
  };

  it.each([
    [
      'a changed line',
      edit('redirects.jsonl', (lines) => lines.map((line) => line.replace('301', '302'))),
      'copy: redirects.jsonl, lines 1 to 4: changed since the export.',
    ],
    [
      'a line less',
      edit('entries.jsonl', (lines) => lines.slice(1)),
      'copy: entries.jsonl, line 21: the file ends here; it had 21 lines.',
    ],
    [
      'a line more',
      (copy: string) => appendFile(path.join(copy, 'tree.jsonl'), '{}\n'),
      'copy: tree.jsonl has changed since the export.',
    ],
    [
      'half a line',
      (copy: string) => truncate(path.join(copy, 'settings.jsonl'), 20),
      'copy: settings.jsonl, line 1: the file ends here; it had 8 lines.',
    ],
    ['no file', (copy: string) => rm(path.join(copy, 'assets.jsonl')), 'copy: assets.jsonl is missing.'],
    [
      'a link instead of a file',
      async (copy: string) => {
        await rm(path.join(copy, 'tree.jsonl'));
        await symlink('/etc/hostname', path.join(copy, 'tree.jsonl'));
      },
      'copy: tree.jsonl is missing.',
    ],
    [
      'another picture',
      async (copy: string) => {
        const [name = ''] = await readdir(path.join(copy, 'media'));
        await appendFile(path.join(copy, 'media', name), ' ');
      },
      /^copy: media\/[0-9a-f]{64} has changed since the export\.$/,
    ],
    [
      'a file that the manifest lacks',
      (copy: string) => writeFile(path.join(copy, 'media', 'a'.repeat(64)), ''),
      `copy: media/${'a'.repeat(64)} is not named in manifest.json.`,
    ],
  ] as const)('with %s', async (_, change, expected) => {
    const found = await damaged(change);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

  /** An export of redirects alone, whose manifest fits its lines. */
  async function forged(lines: string, change: object = {}): Promise<string> {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const count = lines.split('\n').length - 1;
    const marks = count === 0 ? [] : [hash(lines).slice(0, 16)];
    const file = { file: 'redirects.jsonl', bytes: lines.length, sha256: hash(lines), lines: count, marks };
    const only = { types: [], sites: [], locales: [] };
    const about = {
      format: 'headwater-export',
      version: 1,
      createdAt: 'now',
      project: 'demo',
      only,
      hasHistory: false,
    };
    const copy = await mkdtemp(path.join(demo().folder, 'copy-'));
    await writeFile(path.join(copy, 'redirects.jsonl'), lines);
    await writeFile(path.join(copy, 'manifest.json'), JSON.stringify({ ...about, files: [file], ...change }));
    return (await refusal(copy)).replace(/\/copy-\w+/, 'copy');
  }

  it.each([
    ['no JSON', '{"siteId":\n', 'copy: redirects.jsonl, line 1: is not JSON.'],
    ['a value of another kind', '{"siteId":1}\n', /^copy: redirects\.jsonl, line 1: siteId: /],
    ['a list', '[]\n', /^copy: redirects\.jsonl, line 1: /],
    ['nothing', '', 'read'],
  ])('whose line is %s', async (_, lines, expected) => {
    const found = await forged(lines);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

  it('of a newer version says that a newer command is needed', async () => {
    expect(await forged('', { version: 2, files: 'elsewhere' })).toBe(
      'copy has version 2 of the format, and this command reads version 1. Use a newer one.',
    );
  });

  it.each(['../outside.jsonl', '/etc/passwd', 'media/../../x', 'manifest.json', 'media/x'])(
    'whose manifest names the file %s',
    async (file) => {
      const hostile = { file, bytes: 0, sha256: 'a'.repeat(64) };
      expect(await forged('', { files: [hostile] })).toContain('manifest.json: files.0.file');
    },
  );
});

describe('An archive is refused', () => {
  it.each<[TarEntry, string]>([
    [item('../outside', 'x'), '"../outside" is outside the archive.'],
    [item('/tmp/outside', 'x'), '"/tmp/outside" is outside the archive.'],
    [item('media/../../outside', 'x'), '"media/../../outside" is outside the archive.'],
    [item('tree.jsonl', '', 'symlink'), '"tree.jsonl" is a link or device, which exports do not have.'],
    [item('media/', '', 'directory'), 'is no export'],
    [item('notes.txt', 'x'), '"notes.txt" is no file of an export.'],
  ])('with the item %j', async (hostile, expected) => {
    expect(await archived([hostile])).toContain(expected);
    await expect(readFile(path.join(tmpdir(), 'outside'))).rejects.toThrow('ENOENT');
  });

  it('with a file twice', async () => {
    expect(await archived([item('tree.jsonl'), item('tree.jsonl')])).toContain('it has tree.jsonl twice');
  });

  it('that is compressed to nearly nothing', async () => {
    const bomb = item('entries.jsonl', Buffer.alloc(40 * 1024 * 1024));
    expect(await archived([bomb])).toContain('entries.jsonl is compressed to less than 1/200.');
  });

  it('that is truncated, damaged or something else', async () => {
    const { folder, run } = demo();
    const file = path.join(folder, 'broken.tar.gz');
    await run('whole.tar.gz');
    const whole = await readFile(path.join(folder, 'whole.tar.gz'));
    const broken = [
      whole.subarray(0, whole.length / 2),
      gzipSync(gunzipSync(whole).subarray(0, 700)),
      gzipSync('x'.repeat(2000)),
      'text',
    ];
    for (const content of broken) {
      await writeFile(file, content);
      expect(await refusal(file)).toBe(
        'The file /broken.tar.gz cannot be unpacked: it is damaged, incomplete or no tar archive.',
      );
    }
    expect(await refusal(path.join(folder, 'absent'))).toContain('The file /absent cannot be read: ');
  });

  it('and leaves no files behind', async () => {
    const own = `headwater-export-${String(process.pid)}-`;
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(own))).toEqual([]);
  });
});
