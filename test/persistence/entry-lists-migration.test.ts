import { expect, it } from '@jest/globals';
import { entryLists } from '../../src/persistence/migrations/steps/0015-entry-lists.js';
import { migrations } from '../../src/persistence/migrations/steps/index.js';
import { publish } from '../support/factories/content.js';
import { openDesk, useOwnApp } from '../support/desk.js';
import { article, change } from '../management/entries/history.js';

const app = useOwnApp();

it('restores equal statuses, marks and counts when the migration is reverted and applied again', async () => {
  const desk = await openDesk(app());
  const { id } = await article(desk, { title: 'River' });
  await publish(app(), desk.project, id);
  await change(desk, id, { locale: 'de', fields: { title: 'Fluss' } });
  await publish(app(), desk.project, id, 'de');
  await change(desk, id, { locale: 'de', fields: { title: 'Strom' } });
  await article(desk, { title: 'Schleuse' }, { locale: 'de' });
  const gone = await article(desk);
  await desk.delete(`/entries/${gone.id}`);
  const rows = <Row extends object>(sql: string) => app().rows<Row>(desk.project.tenantId, sql);
  const state = async () => [
    await rows('SELECT entry_id, locale, status, is_shown, shared_hash FROM entry_locales ORDER BY 1, 2'),
    await rows(
      'SELECT locale, status, is_deleted, sum(entries)::int AS n FROM entry_counts GROUP BY 1, 2, 3 HAVING sum(entries) <> 0 ORDER BY 1, 2, 3',
    ),
    await rows('SELECT id, created_by_id, updated_by_id FROM entries ORDER BY 1'),
  ];
  const before = await state();
  expect(before[1]).toHaveLength(7);
  const later = migrations.slice(migrations.indexOf(entryLists));
  for (const { down } of later.toReversed()) await rows(down);
  expect(
    await rows(
      'SELECT locale, is_deleted, sum(entries)::int AS n FROM entry_counts GROUP BY 1, 2 ORDER BY 1, 2',
    ),
  ).toEqual([
    { locale: '', is_deleted: false, n: 2 },
    { locale: '', is_deleted: true, n: 1 },
    { locale: 'de', is_deleted: false, n: 2 },
    { locale: 'en', is_deleted: false, n: 1 },
    { locale: 'en', is_deleted: true, n: 1 },
  ]);
  for (const { up } of later) await rows(up);
  expect(await state()).toEqual(before);
});
