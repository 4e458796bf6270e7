import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { elsewhere } from '../admin/pictures/dialog-steps.js';
import { dialogs } from '../admin/pictures/dialogs.js';

const root = 'src/admin';
/** What opens over a screen. The components of `ui` are rendered by the others. */
const opening = /<(?:Dialog|Picker|Menu)(?=[\s>])|role="(?:listbox|menu)"/g;
/** The palette is loaded under this name. */
const launchers = new Set(['palette/palette-launcher']);

describe('The list of dialogs', () => {
  it('names each dialog, menu and list of the app', async () => {
    const files = (await readdir(root, { recursive: true })).filter(
      (file) => file.endsWith('.tsx') && !file.startsWith('ui/'),
    );
    const rendered: Record<string, number> = {};
    for (const file of files) {
      const name = file.replace(/\.tsx$/, '');
      const count = (await readFile(path.join(root, file), 'utf8')).match(opening)?.length ?? 0;
      if (count > 0 && !launchers.has(name)) rendered[name] = count;
    }
    const listed: Record<string, number> = {};
    for (const { file } of [...dialogs, ...elsewhere]) listed[file] = (listed[file] ?? 0) + 1;
    expect(listed).toEqual(rendered);
  });

  it('names tests that check the other dialogs', async () => {
    for (const { test, name } of elsewhere)
      expect(await readFile(`test/admin/${test}.test.ts`, 'utf8')).toMatch(
        new RegExp(`await expectAccessible\\(\\w+, '${name}'\\)`),
      );
  });
});
