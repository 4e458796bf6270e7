import { describe, expect, it } from '@jest/globals';
import { compactDocument, normalizeDocument } from '../../../src/content/schema/normalize.js';
import { SchemaDocument } from '../../../contracts/deployment/schema/schema-plan.js';
import { createProject } from '../../support/factories/project.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import { SchemaProject, type Written } from './schema-project.js';
import { useApp } from '../../support/desk.js';

const app = useApp();

const typeNames = ['page', 'post', 'person', 'card', 'quote'];
const fieldNames = ['alpha', 'beta', 'gamma', 'delta', 'handle'];
const customNames = ['money', 'size'];
const workflowSlugs = ['standard', 'short', 'long'];
const flag = fc.boolean();
const subset = (names: readonly string[]) => fc.subarray([...names]);

const label = fc.constantFrom('One', 'Two', 'Three');
const description = fc.option(fc.constantFrom('Notes.', 'Line one\nline two: "quoted" # no comment'));

const kindsWithOptions = (
  types: readonly { apiName: string; isBlock: boolean }[],
  custom: readonly string[],
) => {
  const named = (isBlock: boolean) =>
    types.filter((type) => type.isBlock === isBlock).map((type) => type.apiName);
  const targets = (isBlock: boolean) =>
    fc.subarray(named(isBlock)).map((contentTypes) => (contentTypes.length > 0 ? { contentTypes } : {}));
  const pick: fc.Arbitrary<object>[] = [
    fc.record({
      type: fc.constant('text'),
      unique: flag,
      validations: fc.constantFrom({}, { maxLength: 20 }, { pattern: '^[a-z]+$', message: 'yes: no' }),
    }),
    fc.record({ type: fc.constant('longText'), isList: flag }),
    fc.record({ type: fc.constant('richText'), localized: flag }),
    fc.record({ type: fc.constant('integer'), defaultValue: fc.constantFrom(null, 0, 7) }),
    fc.record({ type: fc.constant('boolean'), deprecated: flag }),
    fc.constantFrom(
      { type: 'select', settings: { options: [{ value: 'no', label: 'off' }] } },
      { type: 'select', isList: true, settings: { options: [{ value: '1' }, { value: 'null' }] } },
    ),
    fc.record({ type: fc.constant('reference'), isList: flag, settings: targets(false) }),
    fc.record({ type: fc.constant('blocks'), settings: targets(true) }),
    fc.record({ type: fc.constant('json'), hidden: flag }),
  ];
  if (custom.length > 0)
    pick.push(
      fc.constantFrom(
        ...custom.map((customFieldType) => ({ type: 'custom', settings: { customFieldType } })),
      ),
    );
  return fc.oneof(...pick);
};

const contentTypes = (custom: readonly string[], workflows: readonly string[]) =>
  subset(typeNames)
    .chain((names) =>
      fc.tuple(...names.map((apiName) => fc.record({ apiName: fc.constant(apiName), isBlock: flag }))),
    )
    .chain((types) => {
      const options = kindsWithOptions(types, custom);
      const field = (apiName: string) =>
        fc
          .record({ name: label, description, required: flag, group: fc.option(label), options })
          .map(({ options: chosen, ...rest }) => ({ apiName, ...rest, ...chosen }));
      const fields = fc.shuffledSubarray(fieldNames).chain((names) => fc.tuple(...names.map(field)));
      return fc.tuple(
        ...types.map((type) =>
          fc
            .record({
              name: label,
              description,
              isPage: flag,
              isSingleton: flag,
              isLocalized: flag,
              fieldFallback: flag,
              workflowSlug: fc.constantFrom(null, ...workflows),
              fields,
            })
            .map((rest) => ({ ...type, ...rest })),
        ),
      );
    });

const states = [
  { key: 'draft', name: 'Draft', isInitial: true },
  { key: 'done', name: 'Done', allowsPublish: true, color: '#1f6feb' },
];

const transitions = [{ from: 'draft', to: 'done' }];

const workflow = (slug: string, types: readonly string[], roles: readonly string[]) =>
  fc
    .record({
      name: label,
      enforcement: fc.constantFrom('advisory', 'strict'),
      perLocale: flag,
      editableBy: fc.subarray([...roles, 'editor']),
      approvals: fc.constantFrom(null, { required: 2, roles: [...roles] }),
    })
    .map(({ editableBy, approvals, ...rest }) => ({
      ...rest,
      slug,
      // A type belongs to the same workflow in every document.
      contentTypes: types.filter((name) => typeNames.indexOf(name) % 2 === workflowSlugs.indexOf(slug) - 1),
      states: states.map((state, index) => (index === 1 ? { ...state, editableBy } : state)),
      transitions: [{ from: 'draft', to: 'done', approvals, requireComment: true }],
    }));

const role = (slug: string, types: readonly string[]) =>
  fc
    .record({
      name: label,
      description,
      grants: fc.uniqueArray(
        fc.record({
          resource: fc.constantFrom('entries', 'media'),
          action: fc.constantFrom('read', 'update', '*'),
          scope: fc.record({ contentTypes: fc.subarray([...types]), ownOnly: flag }, { requiredKeys: [] }),
        }),
        { maxLength: 4, selector: (grant) => JSON.stringify(grant) },
      ),
    })
    .map((rest) => ({ slug, ...rest }));

/** Documents from few names, so that two of them have much in common. */
const schemas: fc.Arbitrary<Written> = fc
  .record({
    custom: subset(customNames),
    workflows: subset(workflowSlugs),
    roles: subset(['press', 'legal']),
  })
  .chain(({ custom, workflows, roles }) =>
    contentTypes(custom, workflows).chain((types) => {
      const names = types.map(({ apiName }) => apiName);
      return fc.record({
        contentTypes: fc.constant(types),
        customFieldTypes: fc.tuple(
          ...custom.map((apiName) =>
            fc
              .record({ name: label, jsonSchema: fc.constantFrom({ type: 'object' }, { type: 'number' }) })
              .map((rest) => ({ apiName, ...rest })),
          ),
        ),
        workflows: fc
          .tuple(...workflows.map((slug) => workflow(slug, names, roles)))
          .map((list) => [
            { slug: 'default', name: 'Default', isDefault: true, states, transitions },
            ...list,
          ]),
        roles: fc.tuple(...roles.map((slug) => role(slug, names))),
      });
    }),
  );

/** The document as an export has it. */
const exported = (document: Written): unknown =>
  JSON.parse(JSON.stringify(compactDocument(normalizeDocument(filled(document)))));

/** With the keys that the contract sets. */
const filled = (document: Written): SchemaDocument => SchemaDocument.parse(document);

describe('Random schemas', () => {
  verifies('environments/schema');

  it('are the same in an empty project, in a project with another schema, and after an undo', async () => {
    await fc.assert(
      fc.asyncProperty(schemas, schemas, async (first, second) => {
        const source = new SchemaProject(app(), await createProject(app()));
        await source.apply(first);
        const document = await source.export();
        expect(document).toEqual(exported(first));

        const before = await source.traces();
        expect(await source.plan(document)).toMatchObject({ steps: [], isDestructive: false });
        expect((await source.apply(document)).applyId).toBeNull();
        expect(await source.traces()).toEqual(before);

        const target = new SchemaProject(app(), await createProject(app()));
        await target.apply(second);
        const other = await target.export();
        const { applyId } = await target.apply(document, { allowDestructive: true });
        expect(await target.export()).toEqual(document);
        if (applyId === null) return;
        await target.must('POST', '/schema/undo', { applyId });
        expect(await target.export()).toEqual(other);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  }, 120_000);
});
