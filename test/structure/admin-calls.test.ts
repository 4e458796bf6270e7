import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

/** Files of the admin app with a text. `npm run dead-code` would count what `glob` of `node:fs/promises` finds as used. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const file of globSync('src/admin/**/*.{ts,tsx}'))
    if (pattern.test(await readFile(file, 'utf8'))) found.push(file);
  return found.sort();
}

describe('The admin app', () => {
  it('calls the service over tRPC alone', async () => {
    expect(await filesWith(/[`'}]\/api\/trpc/)).toEqual([
      'src/admin/api/client.ts',
      'src/admin/api/sessions-client.ts',
    ]);
    // Streams are no calls: that of events, and the file of an import.
    expect(await filesWith(/[`'}]\/api\/(?!trpc)/)).toEqual([
      'src/admin/administration/imports/start-import.tsx',
      'src/admin/notifications/live-events.ts',
    ]);
  });

  it('sends nothing else but files to a bucket', async () => {
    expect(await filesWith(/(?<![\w.])fetch\(|navigator\.sendBeacon|new (?:WebSocket|EventSource)/)).toEqual([
      'src/admin/api/authorized-fetch.ts',
    ]);
    expect(await filesWith(/XMLHttpRequest/)).toEqual(['src/admin/media/uploads/send-file.ts']);
  });
});
