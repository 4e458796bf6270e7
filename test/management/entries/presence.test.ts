import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { LiveChannel } from '../../../src/infrastructure/live-channel.js';
import {
  PRESENCE_TOPIC,
  PresenceBoard,
  type PresencePosition,
} from '../../../src/infrastructure/presence-board.js';
import { startBeside, type TestApp } from '../../support/app.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { liveEvents, type LiveEvents } from '../../support/live-events.js';
import { createMember, createRole, type TestMember } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { editorRole } from '../workflows/definitions.js';
import { article } from './history.js';

const app = useApp();
let other: TestApp;

beforeAll(async () => {
  other = await startBeside(app());
});
afterAll(() => other.close());

const editor = async (desk: Desk, name: string): Promise<TestMember> =>
  createMember(app(), desk.project, [await editorRole(desk)], name);

/** In the first process; the streams are of the other one. */
const announce = (desk: Desk, user: TestMember, id: string, rest: object = {}): Promise<Response> =>
  desk.as(user.token).post(`/entries/${id}/presence`, rest);

const lastOf = ({ seen }: LiveEvents) => seen.filter(({ event }) => event === 'presence').at(-1)?.data;
const announced = 'others are announced';

describe('Presence on an entry', () => {
  verifies('access/presence');

  it('is sent to the others on it with locale and field, in every process, and ends at once', async () => {
    const desk = await openDesk(app());
    const [ada, ben] = [await editor(desk, 'Ada'), await editor(desk, 'Ben')];
    const { id } = await article(desk);
    const stream = await liveEvents(other, ada.token);
    const alone = await announce(desk, ada, id, { locale: 'en', path: null });
    expect([alone.status, alone.body.data]).toEqual([200, { entryId: id, people: [], total: 0 }]);
    await announce(desk, ben, id, { locale: 'en', path: 'title' });
    const person = { userId: ben.id, name: 'Ben', locale: 'en', path: 'title' };
    await waitFor(announced, () => lastOf(stream) !== undefined);
    expect(lastOf(stream)).toEqual({ entryId: id, people: [person], total: 1 });
    expect((await announce(desk, ada, id, { locale: 'en' })).body.data.people).toEqual([person]);
    await announce(desk, ben, id, { locale: 'de', path: 'sections' });
    await waitFor('the move arrives', () => JSON.stringify(lastOf(stream)).includes('"path":"sections"'));
    await announce(desk, ben, id, { isLeaving: true });
    await waitFor('the end arrives', () => JSON.stringify(lastOf(stream)).includes('"total":0'));
    stream.close();
  });

  it('is neither announced to nor by who may not read the entry, nor by keys', async () => {
    const desk = await openDesk(app());
    const limited = await createRole(app(), desk.project, [
      { resource: 'entries', action: 'read', scope: { contentTypes: ['article'] } },
    ]);
    const ada = await editor(desk, 'Ada');
    const eve = await createMember(app(), desk.project, [limited], 'Eve');
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'A' },
    });
    const [stream, hidden] = [await liveEvents(app(), ada.token), await liveEvents(app(), eve.token)];
    await announce(desk, ada, id);
    expect(outcome(await announce(desk, eve, id))).toEqual([404, 'entry_not_found']);
    expect(outcome(await desk.post(`/entries/${id}/presence`, {}))).toEqual([403, 'permission_denied']);
    const readable = await article(desk);
    await announce(desk, ada, readable.id);
    await announce(desk, eve, readable.id);
    await waitFor(announced, () => lastOf(stream) !== undefined);
    expect(stream.seen).toHaveLength(1);
    expect(lastOf(stream)).toMatchObject({ entryId: readable.id, people: [{ name: 'Eve' }] });
    expect(hidden.seen).toEqual([]);
    stream.close();
    hidden.close();
  });

  it('ends in every process for a member who is suspended, until they are admitted and announce themselves again', async () => {
    const desk = await openDesk(app());
    const [ada, ben] = [await editor(desk, 'Ada'), await editor(desk, 'Ben')];
    const { id } = await article(desk);
    const catalog = await other.composition.services.catalogs.find(desk.project.slug, null);
    const environmentId = catalog?.data.environment.id ?? '';
    const bounds = { seconds: 3600, onEntry: 200, inAll: 200 };
    const board = new PresenceBoard(other.composition.services.live, bounds);
    const names = () => board.others({ environmentId, entryId: id }, ada.id).map(({ name }) => name);
    await announce(desk, ben, id);
    await waitFor('the place arrives', () => names().includes('Ben'));
    await desk.put(`/users/${ben.id}`, { status: 'suspended' });
    await waitFor('the place is dropped', () => names().length === 0);
    expect(outcome(await announce(desk, ben, id))).toEqual([403, 'permission_denied']);
    await desk.put(`/users/${ben.id}`, { status: 'active' });
    await announce(desk, ben, id);
    await waitFor('the place arrives again', () => names().includes('Ben'));
  });

  it('writes nothing and leaves no record', async () => {
    const desk = await openDesk(app());
    const ada = await editor(desk, 'Ada');
    const { id } = await article(desk);
    const { statements } = await app().recordStatements(() => announce(desk, ada, id, { path: 'title' }));
    expect(statements.filter((text) => /\b(?:INSERT|UPDATE|DELETE)\b/.test(text))).toEqual([]);
    expect(statements.some((text) => text.includes('pg_notify'))).toBe(true);
  });

  it.each([{ path: 'x'.repeat(301) }, { client: 'a b' }, { client: 'x'.repeat(41) }, { locale: 'English' }])(
    'refuses %j',
    async (body) => {
      const desk = await openDesk(app());
      const ada = await editor(desk, 'Ada');
      const { id } = await article(desk);
      expect(outcome(await announce(desk, ada, id, body))).toEqual([422, 'validation_failed']);
    },
  );
});

describe('What a process knows of places', () => {
  verifies('access/presence');

  const place = (userId: string, rest: Partial<PresencePosition> = {}): PresencePosition => ({
    environmentId: 'e',
    entryId: 'i',
    userId,
    name: userId,
    client: 'main',
    locale: 'en',
    path: null,
    ...rest,
  });
  const open = (seconds: number) => {
    const live = new LiveChannel();
    const board = new PresenceBoard(live, { seconds, onEntry: 200, inAll: 250 });
    const hear = (one: PresencePosition): void => live.receive(`${PRESENCE_TOPIC} ${JSON.stringify(one)}`);
    return { board, hear, live };
  };

  it('ends for who is silent, and tells the others', async () => {
    const { board, hear } = open(0.5);
    let told = 0;
    board.watch('ada', () => (told += 1));
    hear(place('ada'));
    hear(place('ben'));
    expect(board.others(place('ada'), 'ada').map(({ userId }) => userId)).toEqual(['ben']);
    expect(told).toBe(1);
    await waitFor('the silent are dropped', () => {
      hear(place('ada'));
      return board.others(place('ada'), 'ada').length === 0;
    });
    expect(told).toBe(2);
  });

  it('ends for whose rights change, with all their windows', () => {
    const { board, hear, live } = open(3600);
    hear(place('ada'));
    hear(place('ben'));
    hear(place('ben', { client: 'second', path: 'body' }));
    hear(place('ben', { entryId: 'j' }));
    let told = 0;
    board.watch('ada', () => (told += 1));
    live.receive('access:cleo');
    expect(board.others(place('ada'), 'ada')).toHaveLength(1);
    live.receive('access:ben');
    expect(board.others(place('ada'), 'ada')).toEqual([]);
    expect(board.others(place('ada', { entryId: 'j' }), 'ada')).toEqual([]);
    expect(told).toBe(2);
    hear(place('ben'));
    expect(board.others(place('ada'), 'ada')).toHaveLength(1);
  });

  it('is bounded on an entry and in total, and a repeated place sends no message', () => {
    const { board, hear } = open(25);
    let told = 0;
    hear(place('ada'));
    board.watch('ada', () => (told += 1));
    for (let index = 0; index < 300; index += 1) hear(place(`user-${String(index)}`));
    expect(board.others(place('ada'), 'ada')).toHaveLength(199);
    expect(told).toBe(199);
    for (let index = 0; index < 199; index += 1) hear(place(`user-${String(index)}`));
    expect(told).toBe(199);
    for (let index = 0; index < 100; index += 1) hear(place(`other-${String(index)}`, { entryId: 'j' }));
    expect(board.others(place('', { entryId: 'j' }), '')).toHaveLength(50);
  });

  it('shows one place for a user with several windows, the latest', () => {
    const { board, hear } = open(25);
    hear(place('ben', { path: 'title' }));
    hear(place('ben', { client: 'second', path: 'body' }));
    expect(board.others(place('ada'), 'ada')).toMatchObject([{ path: 'body' }]);
    hear(place('ben', { client: 'second', isLeaving: true }));
    expect(board.others(place('ada'), 'ada')).toMatchObject([{ path: 'title' }]);
  });
});
