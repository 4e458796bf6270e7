import { expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { openDesk, useApp } from '../../support/desk.js';
import { branchOf } from '../../support/factories/branch.js';
import {
  blocksIn,
  card,
  createLandingTypes,
  idsIn,
  landing,
} from '../../support/factories/landing-blocks.js';
import { verifies } from '../../support/verifies.js';
import { Caller } from './articles.js';

const app = useApp();
const by = new Caller(app);

verifies('environments/own-blocks');

it('A promotion of blocks follows renames of their type and of its fields', async () => {
  const desk = await openDesk(app());
  await createLandingTypes(desk);
  const main = desk.project;
  const page = await landing(desk, { title: 'Page', sections: [card('One'), card('Two')] });
  const [one, two] = idsIn(page);
  const branch = await branchOf(app(), main);
  const edit = (at: typeof main, sections: object[]) => by.edit(at, page.id, { sections });
  await edit(branch, [{ _ref: one, fields: { heading: 'Source' } }, { _ref: two }]);
  await by.call(branch, 'POST', '/content-types/card/fields/heading/rename', { apiName: 'headline' });
  await by.call(branch, 'POST', '/content-types/card/rename', { apiName: 'tile' });
  await edit(main, [{ _ref: one }, { _ref: two, fields: { heading: 'Target' } }]);
  const path = `/environments/${branch.environment}/promote`;
  const { conflicts } = await by.call<Promotion>(main, 'POST', path, { mode: 'full', target: 'main' });
  expect(conflicts).toEqual([]);
  const blocks = blocksIn(await by.read(main, page.id));
  expect(blocks.map(({ _type, fields }) => [_type, fields.headline])).toEqual([
    ['tile', 'Source'],
    ['tile', 'Target'],
  ]);
});

it('A promotion publishes a draft whose blocks field the source deleted', async () => {
  const desk = await openDesk(app());
  await createLandingTypes(desk);
  const main = desk.project;
  const page = await landing(desk, { title: 'Old', sections: [card('One', { cards: [card('Inner')] })] });
  await by.call(main, 'POST', `/entries/${page.id}/publish`, {});
  await by.edit(main, page.id, { title: 'New' });
  const branch = await branchOf(app(), main);
  await by.call(branch, 'DELETE', '/content-types/landing/fields/sections?force=true');
  await by.call(branch, 'POST', `/entries/${page.id}/publish`, {});
  const path = `/environments/${branch.environment}/promote`;
  await by.call(main, 'POST', path, { mode: 'full', target: 'main', publish: true });
  expect(await by.read(main, page.id)).toMatchObject({ status: 'published', fields: { title: 'New' } });
});
