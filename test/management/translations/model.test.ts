import { describe, expect, it } from '@jest/globals';
import { checkEnvironment } from '../../../src/cli/rebuild/visit-environment.js';
import { EnvironmentListRepository } from '../../../src/features/environments/catalog/index.js';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { newEntry, publishIn, translationsOf, write } from './desk.js';
import { fc } from '../../support/properties.js';

const app = useApp();
const names = ['title', 'note'] as const;
type Name = (typeof names)[number];
type Values = Partial<Record<Name, string>>;

interface Source {
  readonly value: string | undefined;
  readonly tick: number;
}

/** What the decisions say, by values instead of hashes. */
class Translation {
  values: Values | undefined;
  live: Values | undefined;
  stage = 'in_progress';
  made: Partial<Record<Name, Source>> = {};
}

class Model {
  source: Values = { title: 'a' };
  live: Values | undefined;
  published: { values: Values; tick: number } | undefined;
  tick = 1;
  readonly targets: Record<string, Translation> = { de: new Translation(), fr: new Translation() };

  write(locale: string, name: Name, value: string): void {
    const target = this.targets[locale];
    const values = target === undefined ? this.source : (target.values ?? {});
    if (target?.values !== undefined || target === undefined) if (values[name] === value) return;
    this.tick += 1;
    if (target === undefined) {
      this.source = { ...this.source, [name]: value };
      return;
    }
    target.values = { ...values, [name]: value };
    target.stage = 'in_progress';
    target.made[name] = { value: this.source[name], tick: this.tick };
  }

  publish(locale: string): void {
    const target = this.targets[locale];
    const values = target === undefined ? this.source : target.values;
    const live = target === undefined ? this.live : target.live;
    if (live !== undefined && names.every((name) => live[name] === values?.[name])) return;
    if (target === undefined) return this.#publishSource();
    target.live = { ...values };
    target.stage = 'complete';
    this.#fill(target, this.source, (name) => ({ value: this.source[name], tick: this.tick }));
  }

  set(locale: string, status: string): void {
    const target = this.targets[locale];
    if (target?.values === undefined || this.statusOf(target) === status) return;
    target.stage = status;
    if (status !== 'complete') return;
    target.made = {};
    const all = { ...this.source, ...target.values };
    this.#fill(target, all, (name) => ({ value: this.source[name], tick: this.tick }));
  }

  statusOf(target: Translation): string {
    if (target.values === undefined) return 'missing';
    return target.stage === 'complete' && this.outdatedOf(target).length > 0 ? 'stale' : target.stage;
  }

  outdatedOf({ made }: Translation): string[] {
    const { published } = this;
    if (published === undefined) return [];
    return names
      .filter((name) => {
        const source = made[name];
        return (
          source !== undefined && source.tick <= published.tick && source.value !== published.values[name]
        );
      })
      .sort();
  }

  #publishSource(): void {
    this.live = { ...this.source };
    this.published = { values: this.live, tick: this.tick };
    for (const target of Object.values(this.targets))
      if (target.stage === 'complete') this.#fill(target, this.source, () => ({ value: undefined, tick: 0 }));
  }

  #fill(target: Translation, of: Values, source: (name: Name) => Source): void {
    for (const name of names) if (of[name] !== undefined) target.made[name] ??= source(name);
  }
}

const locale = fc.constantFrom('en', 'de', 'fr');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constant('write'), locale, fc.constantFrom(...names), fc.constantFrom('a', 'b')),
  },
  { weight: 4, arbitrary: fc.tuple(fc.constant('publish'), locale) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('set'),
      fc.constantFrom('de', 'fr'),
      fc.constantFrom('complete', 'needs_review', 'stale'),
    ),
  },
);

async function run(
  desk: Desk,
  model: Model,
  { id, step: [verb, at, ...rest] }: { id: string; step: string[] },
) {
  const code = at ?? 'en';
  const [name = 'title', value = 'a'] = rest;
  if (verb === 'write') {
    model.write(code, name as Name, value);
    await write(desk, id, { locale: code, fields: { [name]: value } });
  } else if (verb === 'set') {
    model.set(code, name);
    await desk.put(`/translations/${id}/${code}`, { status: name });
  } else if (code === 'en' || model.targets[code]?.values !== undefined) {
    model.publish(code);
    await publishIn(desk, id, code);
  }
}

const differences = async (desk: Desk): Promise<readonly string[]> => {
  const { units } = desk.app.composition.services;
  const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  const visits = await Promise.all(
    heads
      .filter(({ projectSlug }) => projectSlug === desk.project.slug)
      .map((head) => checkEnvironment(units, head)),
  );
  return visits.flatMap(({ isOk, lines }) => (isOk ? [] : lines));
};

describe('Any sequence of writes, publications and statuses set by hand', () => {
  verifies('translations/status', 'translations/staleness');

  it('leaves the statuses of a model that compares values, and counters that rebuild confirms', async () => {
    const desk = await openDesk(app());
    const fields = [
      { apiName: 'title', type: 'text' },
      { apiName: 'note', type: 'text' },
    ];
    await desk.delete('/content-types/article');
    await desk.post('/content-types', { apiName: 'article', name: 'Article', fields });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
        const id = await newEntry(desk, { title: 'a' });
        const model = new Model();
        for (const one of steps) await run(desk, model, { id, step: one });
        const shown = (await translationsOf(desk, id)).map(({ locale: code, status, outdatedFields }) => [
          code,
          status,
          outdatedFields,
        ]);
        const expected = Object.entries(model.targets).map(([code, target]) => [
          code,
          model.statusOf(target),
          model.outdatedOf(target),
        ]);
        expect(shown).toEqual(expected);
      }),
      { numRuns: 12, endOnFailure: true },
    );
    expect(await differences(desk)).toEqual([]);
    await desk.app.rows(
      desk.project.tenantId,
      "UPDATE translations SET names = '{}', outdated = '{title}' WHERE is_written",
    );
    expect((await differences(desk)).length).toBeGreaterThan(0);
  });
});
