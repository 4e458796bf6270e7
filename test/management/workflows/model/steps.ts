import { expect } from '@jest/globals';
import { outcome, type Desk } from '../../../support/desk.js';
import { fc } from '../../../support/properties.js';
import type { EntryModel } from './entry-model.js';
import { bodyOf, definitions, fallback } from './workflow-model.js';

const locale = fc.constantFrom('en', 'de', 'fr');
const target = fc.constantFrom('de', 'fr');
const actor = fc.constantFrom('key', 'first', 'second', 'third');
/** One change of an entry, its workflow or its translations. */
export const stepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant('write' as const),
      locale,
      actor,
      name: fc.constantFrom('title', 'note', 'code'),
      value: fc.constantFrom('a', 'b', null),
    }),
  },
  { weight: 8, arbitrary: fc.record({ verb: fc.constant('move' as const), locale, actor, pick: fc.nat(8) }) },
  { weight: 5, arbitrary: fc.record({ verb: fc.constant('publish' as const), locale }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('unpublish' as const), locale }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('set' as const),
      locale: target,
      status: fc.constantFrom('in_progress', 'needs_review', 'complete', 'stale'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('markStale' as const), locale: target }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('restore' as const),
      actor,
      index: fc.nat(6),
      locale: fc.option(locale, { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ verb: fc.constant('define' as const), index: fc.nat(definitions.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('delete' as const) }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('undelete' as const) }) },
);
export type Step = typeof stepArbitrary extends fc.Arbitrary<infer One> ? One : never;

interface Actor {
  readonly id: string;
  readonly desk: Desk;
}
/** An entry of a type with its own workflow, in the service and in the model. */
export interface Run {
  readonly type: string;
  readonly id: string;
  readonly desk: Desk;
  readonly model: EntryModel;
  readonly actors: Readonly<Record<string, Actor>>;
}

export async function check(response: ReturnType<Desk['get']>, expected: string | undefined): Promise<void> {
  const [status, code] = outcome(await response);
  if (expected === undefined) expect([Math.floor(status / 100), code]).toEqual([2, undefined]);
  else expect(code).toBe(expected);
}

type Verbs = { readonly [V in Step['verb']]: (run: Run, one: Extract<Step, { verb: V }>) => Promise<void> };

const deskOf = ({ actors, desk }: Run, name: string): Desk => actors[name]?.desk ?? desk;

/** What changes the entry. */
const edits: Pick<Verbs, 'write' | 'restore' | 'delete' | 'undelete'> = {
  write: (run, { locale: code, name, value: given, actor: author }) => {
    const { model, id } = run;
    const { version } = model;
    const value = model.locales[code] === undefined ? (given ?? 'a') : given;
    model.write(code, name, { value, author });
    const body = { version, locale: code, fields: { [name]: value } };
    return check(deskOf(run, author).put(`/entries/${id}`, body), undefined);
  },
  restore: (run, { actor: author, index: given, locale: code }) => {
    const { model, id } = run;
    const { version } = model;
    const index = given % model.snapshots.length;
    const isKnown = code !== undefined && model.snapshots[index]?.locales[code] !== undefined;
    model.restore(index, isKnown ? code : undefined, author);
    const body = { versionNum: index + 1, version, ...(isKnown && { locale: code }) };
    return check(deskOf(run, author).post(`/entries/${id}/restore`, body), undefined);
  },
  delete: ({ desk, id, model }) => {
    model.delete();
    return check(desk.delete(`/entries/${id}`), undefined);
  },
  undelete: ({ desk, id, model }) => {
    model.isDeleted = false;
    return check(desk.post(`/entries/${id}/undelete`, {}), undefined);
  },
};

const workflowSteps: Pick<Verbs, 'move' | 'define' | 'drop'> = {
  move: (run, { locale: code, actor: author, pick }) => {
    const { states } = run.model;
    const here = states.states.get(code) ?? states.states.get('en');
    const possible = states.workflow.transitions.filter(({ from }) => from === here);
    const to = pick === 8 ? 'nowhere' : (possible[pick % possible.length]?.to ?? 'nowhere');
    const refused = states.move(code, to, author);
    return check(deskOf(run, author).post(`/entries/${run.id}/workflow`, { to, locale: code }), refused);
  },
  define: ({ desk, model, type }, { index }) => {
    const next = definitions[index] ?? fallback;
    const { isDropped } = model.states;
    const refused = model.states.define(next, false, model.isDeleted);
    const body = { ...bodyOf(next), contentTypes: [type] };
    const response = isDropped
      ? desk.post('/workflows', { ...body, slug: type, name: type })
      : desk.put(`/workflows/${type}`, body);
    return check(response, refused && 'workflow_state_in_use');
  },
  drop: async ({ desk, model, type }) => {
    if (model.states.isDropped) return;
    const refused = model.states.define(fallback, true, model.isDeleted);
    await check(desk.delete(`/workflows/${type}`), refused && 'workflow_in_use');
  },
};

/** What is skipped in a locale that is not written. */
const localeSteps: Pick<Verbs, 'publish' | 'unpublish' | 'set' | 'markStale'> = {
  publish: ({ desk, id, model }, { locale: code }) => {
    const expected = model.publish(code) ? undefined : 'workflow_not_approved';
    return check(desk.post(`/entries/${id}/publish`, { locale: code }), expected);
  },
  unpublish: async ({ desk, id, model }, { locale: code }) => {
    if (!model.live.delete(code)) return;
    await check(desk.post(`/entries/${id}/unpublish`, { locale: code }), undefined);
  },
  set: ({ desk, id, model }, { locale: code, status }) => {
    model.set(code, status);
    return check(desk.put(`/translations/${id}/${code}`, { status }), undefined);
  },
  markStale: ({ desk, id, model }, { locale: code }) => {
    model.translations.markStale(code);
    return check(desk.post(`/translations/${id}/${code}/mark-stale`, {}), undefined);
  },
};

const verbs: Verbs = { ...edits, ...workflowSteps, ...localeSteps };
/** Deleted entries refuse every other step. */
const ofDeleted = new Set<string>(['define', 'drop', 'undelete']);

/** Executes a step in the model and in the service. */
export async function execute(run: Run, one: Step): Promise<void> {
  const { model } = run;
  if (model.isDeleted && !ofDeleted.has(one.verb)) return;
  if (one.verb in localeSteps && 'locale' in one && model.locales[one.locale ?? ''] === undefined) return;
  await (verbs[one.verb] as (run: Run, one: Step) => Promise<void>)(run, one);
}
