import type { EntryPresence, entries } from '../../../../contracts/entries/entries/entries.contract.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { PresencePosition, PresenceBoard } from '../../../infrastructure/presence-board.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { EntryRepository, noValues } from '../entries/index.js';
import { PresenceRepository } from './presence.repository.js';

/** Others on an entry, without who asks. */
export function presentOthers(
  board: PresenceBoard,
  place: Pick<PresencePosition, 'environmentId' | 'entryId'>,
  userId: string,
): EntryPresence {
  const others = board.others(place, userId);
  return {
    entryId: place.entryId,
    people: others
      .slice(0, limits.presencePeopleShown)
      .map(({ userId: id, name, locale, path }) => ({ userId: id, name, locale, path })),
    total: others.length,
  };
}

/** Each call proves that the user may read the entry: who may not is neither shown nor told. */
export async function announcePresence(
  work: UnitOfWork,
  { id, client, locale = null, path = null, isLeaving }: InputOf<typeof entries.announce>,
  board: PresenceBoard,
): Promise<{ data: EntryPresence }> {
  const { environmentId, actor } = work.scope;
  const entry = await work.use(EntryRepository).find(id, noValues);
  const userId = actor.id ?? '';
  const place = { environmentId: environmentId ?? '', entryId: entry.id };
  await work
    .use(PresenceRepository)
    .announce({ ...place, userId, name: actor.name, client, locale, path, isLeaving });
  return { data: presentOthers(board, place, userId) };
}
