import { expect } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { openDesk, type Desk } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';

interface Captain {
  readonly name: string;
  readonly age?: number;
}
interface Boat {
  readonly name: string;
  readonly size?: number;
  readonly isOld?: boolean;
  readonly tags?: readonly string[];
  readonly captain?: string;
  readonly crew?: readonly string[];
}

const captains: readonly Captain[] = [{ name: 'Ada', age: 40 }, { name: 'Ben', age: 61 }, { name: 'Cleo' }];
export const boats: readonly Boat[] = [
  { name: 'a', size: 9.5, isOld: true, tags: ['oak', 'sail, white'], captain: 'Ada', crew: ['Ben', 'Cleo'] },
  { name: 'b', size: -70, isOld: false, tags: ['oak'], captain: 'Ben' },
  { name: 'c', size: 70, captain: 'Cleo', crew: ['Ada'] },
  { name: 'd', tags: ['steam'] },
];

type Operators = Readonly<Record<string, string | number | boolean | readonly string[]>>;
export type Where = { readonly [key: string]: Where | readonly Where[] | Operators | Operators[string] };

export const asWhere = (where: Where): string => `where=${encodeURIComponent(JSON.stringify(where))}`;

type Find = (query: string) => Promise<string>;

/** Boats with captains, and each list that has filters. */
export interface Harbour {
  readonly desk: Desk;
  /** Ids by name. */
  readonly ids: ReadonlyMap<string, string>;
  /** Each returns the names of the boats that a query finds. */
  readonly lists: Readonly<Record<'delivery' | 'previews' | 'search' | 'drafts' | 'search of drafts', Find>>;
  /** In every list. */
  expectFound(where: Where, expected: string): Promise<void>;
}

async function writeBoats(desk: Desk): Promise<Map<string, string>> {
  const { app, project } = desk;
  const ids = new Map<string, string>();
  const linkTo = (name: string) => ({ _ref: ids.get(name) });
  const write = async (contentTypeApiName: string, fields: { readonly name: string }): Promise<void> => {
    const { id } = await createEntry(app, project, { contentTypeApiName, fields });
    ids.set(fields.name, id);
    await publish(app, project, id);
  };
  await createType(app, project, {
    apiName: 'captain',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'age', type: 'integer' },
      { apiName: 'home', type: 'reference', settings: { contentTypes: ['article'] } },
    ],
  });
  await createType(app, project, {
    apiName: 'boat',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'size', type: 'number' },
      { apiName: 'isOld', type: 'boolean' },
      { apiName: 'tags', type: 'text', isList: true },
      { apiName: 'captain', type: 'reference', settings: { contentTypes: ['captain'] } },
      { apiName: 'crew', type: 'reference', isList: true },
    ],
  });
  for (const captain of captains) await write('captain', captain);
  for (const { captain, crew, ...boat } of boats)
    await write('boat', {
      ...boat,
      ...(captain && { captain: linkTo(captain) }),
      ...(crew && { crew: crew.map(linkTo) }),
    });
  return ids;
}

export async function openHarbour(app: TestApp): Promise<Harbour> {
  const desk = await openDesk(app);
  const ids = await writeBoats(desk);
  const { delivery, management, keys } = desk.project;
  const list = async (path: string, key?: string): Promise<string> => {
    const response = await send(app, { method: 'GET', path, key });
    if (response.status !== 200) throw new Error(JSON.stringify(response.body));
    const rows = response.body.data as {
      fields?: { name: string };
      entry?: { fields: { name: string } };
    }[];
    const names = rows.map(({ fields, entry }) => fields?.name ?? entry?.fields.name).toSorted();
    expect(response.body.meta.total).toBe(names.length);
    return names.join('');
  };
  const lists = {
    delivery: (query: string) => list(`${delivery}/content/boat?limit=50&${query}`),
    previews: (query: string) => list(`${delivery}/content/boat?limit=50&${query}`, keys.preview),
    search: (query: string) => list(`${delivery}/search?limit=50&contentTypeApiName=boat&${query}`),
    drafts: (query: string) =>
      list(`${management}/entries?limit=50&contentTypeApiName=boat&${query}`, keys.management),
    'search of drafts': (query: string) =>
      list(`${management}/search?limit=50&fields=name&contentTypeApiName=boat&${query}`, keys.management),
  };
  return {
    desk,
    ids,
    lists,
    expectFound: async (where, expected) => {
      for (const [name, find] of Object.entries(lists))
        expect([name, where, await find(asWhere(where))]).toEqual([name, where, expected]);
    },
  };
}
