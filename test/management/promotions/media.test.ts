import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { useApp } from '../../support/desk.js';
import { stateOf } from '../../support/environment-state.js';
import { branchOf } from '../../support/factories/branch.js';
import { png, uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller } from './articles.js';

const app = useApp();
const by = new Caller(app);

let main: TestProject;
let branch: TestProject & { environment: string };

beforeEach(async () => {
  main = await createProject(app());
});

/** Without a credential. */
const load = async (url: string, query = '') => {
  const { status, headers, body } = await app().request.get(`${url}${query}`);
  return { status, type: headers['content-type'], body: body as { error?: string } };
};

const asset = (at: TestProject, id: string) => by.call<TestAsset>(at, 'GET', `/media/${id}`);

const signedUrl = async (at: TestProject, id: string): Promise<string> =>
  (await by.call<{ url: string }>(at, 'POST', `/media/${id}/signed-url`, {})).url;

const newFile = () => ({ fileName: 'b.png', content: png().toString('base64') });

const promote = () =>
  by.call<Promotion>(main, 'POST', `/environments/${branch.environment}/promote`, { mode: 'full' });

describe('The file of an asset', () => {
  verifies('environments/copy-of-media');

  it('that only a branch has is served, original and rendition, until the branch is deleted', async () => {
    branch = await branchOf(app(), main);
    const { id, url } = await uploadAsset(app(), branch);
    expect((await asset(branch, id)).url).toBe(url);
    expect(await load(url)).toMatchObject({ status: 200, type: 'image/png' });
    expect(await load(url, '?w=16&fm=webp')).toMatchObject({ status: 200, type: 'image/webp' });
    await by.call(branch, 'PUT', `/media/${id}`, { visibility: 'private' });
    expect(await load(url)).toMatchObject({ status: 403, body: { error: 'invalid_signature' } });
    const signed = await signedUrl(branch, id);
    expect((await load(signed)).status).toBe(200);
    await by.call(main, 'DELETE', `/environments/${branch.environment}`);
    expect(await load(signed)).toMatchObject({ status: 404, body: { error: 'media_not_found' } });
  });

  it('that a branch replaced or renamed is served under the URLs of both', async () => {
    const { id, url } = await uploadAsset(app(), main);
    branch = await branchOf(app(), main);
    await by.call(branch, 'PUT', `/media/${id}`, { fileName: 'renamed.png' });
    const renamed = await asset(branch, id);
    expect(renamed.url).toContain('/renamed.png');
    await by.call(branch, 'PUT', `/media/${id}/file`, { file: newFile() });
    const replaced = await asset(branch, id);
    expect(replaced.checksum).not.toBe(renamed.checksum);
    const other = await branchOf(app(), main);
    await by.call(other, 'PUT', `/media/${id}`, { fileName: 'other.png' });
    for (const one of [url, replaced.url, (await asset(other, id)).url])
      expect((await load(one)).status).toBe(200);
  });

  it('that is private in the default environment stays so, whatever a branch does', async () => {
    const { id } = await uploadAsset(app(), main, { visibility: 'private' });
    branch = await branchOf(app(), main);
    await by.call(branch, 'PUT', `/media/${id}`, { visibility: 'public', fileName: 'open.png' });
    const { url } = await asset(branch, id);
    expect(url).toContain('/open.png');
    expect(await load(url)).toMatchObject({ status: 403, body: { error: 'invalid_signature' } });
  });
});

describe('A promotion of media', () => {
  verifies('environments/copy-of-media');

  it('carries assets, folders and overlays, and its rollback takes them back', async () => {
    const kept = await uploadAsset(app(), main);
    branch = await branchOf(app(), main);
    const folder = await by.call(branch, 'POST', '/media/folders', { name: 'new' });
    const added = await uploadAsset(app(), branch, { folderId: folder.id, tags: ['t'] });
    await by.call(branch, 'PUT', `/media/${added.id}/locales/de`, { altText: 'Boot' });
    await by.call(branch, 'PUT', `/media/${kept.id}/locales/de`, { altText: 'Schleuse' });
    const before = await stateOf(app(), main, 'main');
    const { promotionId } = await promote();
    const german = (id: string) => by.call<TestAsset>(main, 'GET', `/media/${id}?locale=de`);
    expect(await german(added.id)).toMatchObject({ altText: 'Boot', folderId: folder.id, tags: ['t'] });
    expect(await german(kept.id)).toMatchObject({ altText: 'Schleuse' });
    expect((await load((await asset(main, added.id)).url)).status).toBe(200);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
    expect((await german(kept.id)).altText).not.toBe('Schleuse');
    expect(await by.call(main, 'GET', '/media/folders')).toEqual([]);
    expect((await load(added.url)).status).toBe(200);
  });

  it('carries a replaced file; its rollback makes the former one the current version', async () => {
    const { id, checksum } = await uploadAsset(app(), main);
    branch = await branchOf(app(), main);
    const replaced = await by.call<TestAsset>(branch, 'PUT', `/media/${id}/file`, { file: newFile() });
    const versions = () =>
      by.call<{ checksum: string; isCurrent: boolean }[]>(main, 'GET', `/media/${id}/versions`);
    const current = async () => (await versions()).find(({ isCurrent }) => isCurrent)?.checksum;
    const { promotionId } = await promote();
    expect([await current(), (await asset(main, id)).checksum]).toEqual([
      replaced.checksum,
      replaced.checksum,
    ]);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect([await current(), (await asset(main, id)).checksum]).toEqual([checksum, checksum]);
    expect(await versions()).toHaveLength(3);
  });
});
