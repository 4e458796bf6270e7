import { expect } from '@jest/globals';
import type { Promotion } from '../../../../contracts/deployment/promotions/promotion.js';
import { Desk } from '../../../support/desk.js';
import type { TestApp } from '../../../support/app.js';
import { stateOf } from '../../../support/environment-state.js';
import { branch } from '../../../support/factories/branch.js';
import { createEntry, createType, publish } from '../../../support/factories/content.js';
import { createProject, type TestProject } from '../../../support/factories/project.js';
import { createFolder, createPage, createPageType } from '../../../support/factories/tree.js';
import { fc } from '../../../support/properties.js';
import { editArbitrary, Editor, type Edit } from './edits.js';
import { merge, type Merge, type Three } from './merge-model.js';
import { essence, refusals } from './refusals.js';
import { inLocales, isChosen, withDependencies, type Selection } from './selection.js';
import { takeSnapshot, type Snapshot, type Values } from './snapshot.js';

export interface Round {
  readonly edits: readonly Edit[];
  /** An entry whose title both sides change. */
  readonly clash: number | null;
  /** `up` is from the branch to its base. */
  readonly direction: 'up' | 'down';
  readonly strategy: 'fail' | 'source' | 'target';
  /** Null: a full promotion. */
  readonly picks: readonly number[] | null;
  /** Of the picked entries; null: all. */
  readonly locales: readonly string[] | null;
  readonly includeDependencies: boolean;
  readonly publish: boolean;
}

export const roundArbitrary: fc.Arbitrary<Round> = fc.record({
  edits: fc.array(editArbitrary, { minLength: 1, maxLength: 6, size: 'max' }),
  clash: fc.option(fc.nat(5), { freq: 1 }),
  direction: fc.constantFrom('up', 'up', 'down'),
  strategy: fc.constantFrom('fail', 'source', 'target'),
  picks: fc.option(fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }), { freq: 3 }),
  locales: fc.option(fc.constantFrom(['en'], ['de'], ['en', 'de']), { freq: 1 }),
  includeDependencies: fc.constantFrom(true, true, false),
  publish: fc.boolean(),
});

/** Two pages, a folder, two articles and a redirect; some of it is published. */
async function fill(app: TestApp, project: TestProject): Promise<void> {
  await createPageType(app, project);
  await createType(app, project, {
    apiName: 'article',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'tag', type: 'text', localized: false },
      { apiName: 'next', type: 'reference' },
    ],
  });
  const folder = await createFolder(app, project, { slug: 'one' });
  await createPage(app, project, { slug: 'two', treeParentId: folder.id });
  const page = await createPage(app, project, { slug: 'three' });
  const last = await createEntry(app, project, { contentTypeApiName: 'article', fields: { title: 'a' } });
  const fields = { title: 'b', tag: 'b', next: { _ref: last.id } };
  const first = await createEntry(app, project, { contentTypeApiName: 'article', fields });
  for (const { id } of [page, last, first]) await publish(app, project, id);
  await new Desk(app, project).post('/redirects', { siteId: project.siteId, source: '/a', target: '/three' });
}

export interface Run {
  readonly app: TestApp;
  readonly project: TestProject;
  readonly desk: Desk;
  readonly branch: string;
  readonly base: string;
  /** The common base of both. */
  known: Snapshot;
}

/** Whose environments the runs are made of. */
export async function createModelProject(app: TestApp): Promise<TestProject> {
  const project = await createProject(app, { locales: ['en', 'de'] });
  await fill(app, project);
  return project;
}

/** How both environments of a run descend from the same. */
export interface Shape {
  /** `orphans` are siblings whose base is deleted. */
  readonly kind: 'branch' | 'siblings' | 'orphans';
  /** In the base of siblings, before the second of them is made. */
  readonly between: readonly Edit[];
  readonly isFirstOlder: boolean;
}

export const shapeArbitrary: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constantFrom('branch', 'siblings', 'orphans'),
  between: fc.array(editArbitrary, { minLength: 1, maxLength: 5, size: 'max' }),
  isFirstOlder: fc.boolean(),
});

/** A copy of the default environment, and a branch of it or two. */
export async function startRun(app: TestApp, project: TestProject, shape: Shape): Promise<Run> {
  const desk = new Desk(app, project);
  const copy = await branch({ app, project });
  const known = await takeSnapshot(app, project, copy);
  const older = await branch({ app, project }, copy);
  if (shape.kind === 'branch') return { app, project, desk, branch: older, base: copy, known };
  const editor = new Editor(desk.in(copy), project.siteId);
  for (const edit of shape.between) await editor.apply(edit);
  const younger = await branch({ app, project }, copy);
  if (shape.kind === 'orphans') expect((await desk.delete(`/environments/${copy}`)).status).toBe(200);
  const [one, two] = shape.isFirstOlder ? [older, younger] : [younger, older];
  return { app, project, desk, branch: one, base: two, known };
}

async function differences(run: Run, source: string, target: string): Promise<string[]> {
  const path = `/environments/${source}/diff?target=${target}&limit=100`;
  const { data } = (await run.desk.get(path)).body as {
    data: { kind: string; id: string; change: string; isConflict: boolean }[];
  };
  return data.map(({ kind, id, change, isConflict }) => `${kind} ${id} ${change} ${isConflict}`).sort();
}

interface Plan {
  readonly merged: Merge;
  readonly body: object;
  readonly settled: Selection | null;
}

/** The picked items. An entry that the target lacks and that begins without any locale is left out. */
function picksOf({ picks, locales }: Round, all: readonly string[], three?: Three): Selection {
  const keys = (picks ?? []).map((pick) => all[pick % all.length] ?? '');
  const chosen = keys.map((key) => [key, key.startsWith('entry ') ? locales : null] as const);
  const isLeft = ([key, own]: (typeof chosen)[number]): boolean =>
    own !== null && three?.target.has(key) === false && inLocales(three.source.get(key), own)?.size === 1;
  return new Map(chosen.filter((one) => !isLeft(one)));
}

function planOf(given: Round, base: Snapshot, source: Snapshot, target: Snapshot): Plan {
  const three = { base, source, target };
  const { publish } = given;
  const prefersSource = given.strategy === 'source';
  const all = [...new Set([...source.keys(), ...target.keys()])]
    .filter((key) => !key.startsWith('status '))
    .sort();
  const differing = new Set(merge(three, { prefersSource, selected: null, publish }).differing);
  const picked = given.picks && picksOf(given, all, three);
  const selected = picked && given.includeDependencies ? withDependencies(picked, three, differing) : picked;
  const items =
    given.picks &&
    [...picksOf(given, all)].map(([key, locales]) => {
      const [kind, id] = key.split(' ');
      return { kind, id, ...(locales && { locales }) };
    });
  const { strategy: conflictStrategy, includeDependencies } = given;
  return {
    merged: merge(three, { prefersSource, selected, publish }),
    settled: selected,
    body: {
      mode: items === null ? 'full' : 'cherryPick',
      ...(items && { items }),
      conflictStrategy,
      includeDependencies,
      publish,
    },
  };
}

const isLive = (status: Values | undefined): boolean => status !== undefined && status.status !== 'draft';

/**
 * What both agree on from here on: the content of the source in the promoted locales, and of what is published only
 * what both publish.
 */
function settle(
  known: Snapshot,
  { source, target, after }: { source: Snapshot; target: Snapshot; after: Snapshot },
  settled: Selection | null,
): Snapshot {
  const entryKey = (key: string): string => key.replace('status', 'entry');
  const isSettled = (key: string): boolean => settled === null || settled.has(entryKey(key));
  const agreed = new Map([...known].filter(([key]) => !isSettled(key)));
  for (const [key, item] of source) {
    if (!isSettled(key)) continue;
    const locales = settled?.get(entryKey(key)) ?? null;
    const left = [...(known.get(key) ?? [])].filter(([part]) => !isChosen(part, locales));
    const taken = [...(inLocales(item, locales) ?? [])].map(([locale, state]): [string, Values] => {
      if (!key.startsWith('status ')) return [locale, state];
      // A locale that the promotion created is a draft, as if it had never been published.
      const former = (target.get(key)?.has(locale) && known.get(key)?.get(locale)) || { status: 'draft' };
      return [locale, isLive(state) === isLive(after.get(key)?.get(locale)) ? state : former];
    });
    agreed.set(key, new Map([...left, ...taken]));
  }
  return agreed;
}

export type Result = 'promoted' | 'conflict' | 'refused';

export async function playRound(run: Run, given: Round): Promise<Result> {
  const { app, project, desk } = run;
  const siteId = project.siteId;
  const editors = {
    branch: new Editor(desk.in(run.branch), siteId),
    base: new Editor(desk.in(run.base), siteId),
  };
  for (const edit of given.edits) await editors[edit.side].apply(edit);
  for (const side of given.clash === null ? [] : (['branch', 'base'] as const))
    await editors[side].apply({ verb: 'write', side, pick: given.clash ?? 0, locale: 'en', value: side });
  const [from, to] = given.direction === 'up' ? [run.branch, run.base] : [run.base, run.branch];
  const snapshot = (slug: string): Promise<Snapshot> => takeSnapshot(app, project, slug);
  const [source, target] = [await snapshot(from), await snapshot(to)];
  const three = { base: run.known, source, target };
  const { merged, body, settled } = planOf(given, run.known, source, target);
  const before = [await stateOf(app, project, to), await differences(run, from, to)];
  expect(before[1]).toEqual(merged.differences);
  const promote = () => desk.post(`/environments/${from}/promote`, { ...body, target: to });
  const answer = await promote();
  if (answer.status !== 200) {
    expect(await stateOf(app, project, to)).toEqual(before[0]);
    const { error } = answer.body as { error: string };
    if (given.strategy === 'fail' && merged.conflicts.length > 0) {
      expect(error).toBe('environment_conflict');
      const { conflicts } = (answer.body as { details: { conflicts: { kind: string; id: string }[] } })
        .details;
      expect(conflicts.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual([...merged.conflicts].sort());
      return 'conflict';
    }
    expect([answer.text, [...refusals(three, merged)]]).toEqual([
      answer.text,
      expect.arrayContaining([error]),
    ]);
    return 'refused';
  }
  const { promotionId, items } = (answer.body as { data: Promotion }).data;
  expect(new Map(items.map(({ kind, id, change }) => [`${kind} ${id}`, change]))).toEqual(merged.changes);
  expect(essence(await snapshot(to))).toEqual(essence(merged.expected));
  const undone = await desk.post(`/environments/${to}/rollback`, { promotionId });
  expect([undone.status, undone.body]).toMatchObject([200, { data: { status: 'rolled_back' } }]);
  expect([await stateOf(app, project, to), await differences(run, from, to)]).toEqual(before);
  expect([(await promote()).status]).toEqual([200]);
  const after = await snapshot(to);
  expect(essence(after)).toEqual(essence(merged.expected));
  run.known = settle(run.known, { source, target, after }, settled);
  const next = merge(
    { base: run.known, source, target: after },
    { prefersSource: true, selected: null, publish: false },
  );
  expect(await differences(run, from, to)).toEqual(next.differences);
  return 'promoted';
}
