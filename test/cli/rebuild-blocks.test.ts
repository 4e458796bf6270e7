import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkEnvironment, rebuildEnvironment } from '../../src/cli/rebuild/visit-environment.js';
import { EnvironmentListRepository } from '../../src/features/environments/catalog/index.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { openPages, publishedPage, type Ids } from '../management/fields/own-blocks.js';
import { useOwnApp, type Desk } from '../support/desk.js';

const app = useOwnApp();
let desk: Desk;
let id: string;
let ids: Ids;

beforeEach(async () => {
  desk = await openPages(app());
  ({ id, ids } = await publishedPage(desk));
  await app().composition.jobs.indexSearch();
});

const tamper = (sql: string, ...bind: string[]) => app().rows(desk.project.tenantId, sql, bind);

async function visited() {
  const { units } = app().composition.services;
  const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  const head = heads.find(({ projectSlug }) => projectSlug === desk.project.slug);
  if (head === undefined) throw new Error('the command does not see the project');
  return { units, head };
}

async function found(): Promise<string[]> {
  const { units, head } = await visited();
  return (await checkEnvironment(units, head)).lines.slice(0, -1).map((line) => line.trim());
}

describe('The rebuild command, own blocks', () => {
  it('finds no difference after ordinary operations', async () => {
    expect(await found()).toEqual([]);
  });

  it.each(['section', 'card', 'extra', 'part'] as const)(
    'names a %s without an owner with --check and restores it without',
    async (name) => {
      await tamper('DELETE FROM owned_blocks WHERE id = $1', ids[name]);
      expect(await found()).toContain(`block ${ids[name]} of ${id}: has no owner`);
      const { units, head } = await visited();
      await rebuildEnvironment(units, head);
      expect(await found()).toEqual([]);
    },
  );

  it('names a block of another type and restores it', async () => {
    const section = '(SELECT content_type_id FROM owned_blocks WHERE id = $2)';
    await tamper(`UPDATE owned_blocks SET content_type_id = ${section} WHERE id = $1`, ids.part, ids.section);
    expect(await found()).toEqual([`block ${ids.part} of ${id}: has another type`]);
    const { units, head } = await visited();
    await rebuildEnvironment(units, head);
    expect(await found()).toEqual([]);
  });

  it.each([
    ['lacks a block', 'blocks - $2'],
    ['has another value in a block', `jsonb_set(blocks, ARRAY[$2, 'fields', 'data'], '1')`],
    ['has a block that nothing leads to', `blocks || jsonb_build_object('x' || $2, blocks -> $2)`],
    ['has a block of another type', `jsonb_set(blocks, ARRAY[$2, 'type'], '"x"')`],
  ])('names a published document that %s', async (_what, blocks) => {
    await tamper(
      `UPDATE published_entries SET blocks = ${blocks} WHERE entry_id = $1 AND locale = 'en'`,
      id,
      ids.card,
    );
    expect(await found()).toContain(`document en of ${id}: differs`);
  });
});
