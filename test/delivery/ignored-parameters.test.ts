import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

const app = useApp();
let desk: Desk;
let id: string;

beforeAll(async () => {
  desk = await openDesk(app());
  ({ id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title: 'Alpha lock' },
  }));
  await publish(app(), desk.project, id);
});

describe('A parameter of delivery without effect', () => {
  verifies('lists/filters-ignored');

  const ignoredBy = async (path: string): Promise<[number, string | undefined]> => {
    const { status, headers } = await send(app(), { method: 'GET', path: `${desk.project.delivery}${path}` });
    return [status, headers['x-ignored-parameters']];
  };

  it('is named by each operation, in the order of names, also from the cache', async () => {
    const paths = [
      '/content/article?',
      `/entries/${id}?`,
      '/search?q=alpha&',
      '/tree?',
      '/redirects?',
      '/sitemap?format=json&',
    ];
    for (const path of paths) {
      expect(await ignoredBy(path)).toEqual([200, undefined]);
      for (const value of ['1', '2'])
        expect(await ignoredBy(`${path}section=${value}&Locale=en`)).toEqual([200, 'Locale,section']);
      expect(await ignoredBy(path)).toEqual([200, undefined]);
    }
    expect(await ignoredBy('/routes?path=/nowhere&lang=en')).toEqual([404, 'lang']);
  });

  it('is encoded, and shortened where names are many or long', async () => {
    expect(await ignoredBy(`/tree?a%0D%0Ab,c=1&%F0%9F%98%80=2`)).toEqual([200, 'a%0D%0Ab%2Cc,%F0%9F%98%80']);
    const many = Array.from({ length: 12 }, (_, at) => `p${String(at + 10)}=1`).join('&');
    expect(await ignoredBy(`/tree?${many}`)).toEqual([200, 'p10,p11,p12,p13,p14,p15,p16,p17,p18,p19']);
    expect(await ignoredBy(`/tree?${'x'.repeat(99)}%F0%9F%98%80=1`)).toEqual([
      200,
      `${'x'.repeat(99)}%EF%BF%BD`,
    ]);
  });
});
