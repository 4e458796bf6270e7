import { describe, expect, it } from '@jest/globals';
import { buildSchema, validateSchema } from 'graphql';
import { buildProjectSchema, projectSdl } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { verifies } from '../support/verifies.js';
import { catalogOf, contentType, field, sampleTypes } from './fixture.js';

const definition = (sdl: string, start: string): string =>
  (new RegExp(`^${start}[^]*?\\n}`, 'm').exec(sdl)?.[0] ?? '').replace(/^\s*"""[^]*?"""\n/gm, '');

const membersOf = (sdl: string, name: string): string[] =>
  definition(sdl, `input ${name} `)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim());

describe('Inputs of filters', () => {
  verifies('graphql/search-filters');

  const options = (...values: string[]) => ({ settings: { options: values.map((value) => ({ value })) } });

  it('have the operators of each field, and the types that a reference can name', () => {
    const sdl = projectSdl(
      catalogOf([
        ...sampleTypes.filter(({ apiName }) => apiName !== 'bare'),
        contentType('thing', [
          field('line', 'text'),
          field('text', 'richText'),
          field('state', 'select', options('open', 'CLOSED')),
          field('states', 'select', { isList: true, ...options('open') }),
          field('size', 'select', options('3 m', 'open')),
          field('size2', 'select', options('true')),
          field('counts', 'integer', { isList: true }),
          field('when', 'dateTime'),
          field('cover', 'media'),
          field('owner', 'reference', { settings: { contentTypes: ['author'] } }),
          field('subject', 'reference', { settings: { contentTypes: ['author', 'hero'] } }),
          field('others', 'reference', { isList: true }),
          field('or', 'text'),
        ]),
      ]),
    );
    expect(membersOf(sdl, 'ThingFilter')).toEqual([
      '_id: IdComparison',
      '_publishedAt: TimeComparison',
      '_slug: StringComparison',
      'and: [ThingFilter!]',
      'counts: NumberListComparison',
      'cover: AssetComparison',
      'line: StringComparison',
      'not: ThingFilter',
      'or: [ThingFilter!]',
      'others: EntryReferencesFilter',
      'owner: AuthorReferenceFilter',
      'size: StringComparison',
      'size2: StringComparison',
      'state: Thing_stateComparison',
      'states: Thing_statesListComparison',
      'subject: Thing_subjectReferenceFilter',
      'text: ValueComparison',
      'when: TimeComparison',
    ]);
    expect(membersOf(sdl, 'Thing_subjectReferenceFilter')).toEqual([
      'Author: AuthorFilter',
      'Hero: HeroFilter',
      'eq: ID',
      'exists: Boolean',
      'in: [ID!]',
      'ne: ID',
      'nin: [ID!]',
    ]);
    expect(membersOf(sdl, 'Thing_stateComparison')).toEqual([
      'contains: String',
      'eq: Thing_state',
      'exists: Boolean',
      'in: [Thing_state!]',
      'ne: Thing_state',
      'nin: [Thing_state!]',
    ]);
    expect(membersOf(sdl, 'ValueComparison')).toEqual(['exists: Boolean']);
    expect(membersOf(sdl, 'NumberListComparison')).toContain('contains: Float');
    expect(definition(sdl, 'input EntryFilter')).toContain('input EntryFilter @oneOf {');
    expect(definition(sdl, 'enum Thing_state ')).toBe('enum Thing_state {\n  CLOSED\n  open\n}');
  });

  it('have other names where content types have theirs', () => {
    const sdl = projectSdl(
      catalogOf(
        ['author', 'authorFilter', 'entryFilter', 'stringComparison'].map((name) => contentType(name)),
      ),
    );
    expect(definition(sdl, 'input AuthorFilter_ ')).toContain('and: [AuthorFilter_!]');
    expect(definition(sdl, 'input AuthorFilterFilter ')).toContain('_slug: StringComparison_');
    expect(definition(sdl, 'type Query')).toContain('where: EntryFilter_');
    expect(validateSchema(buildSchema(sdl))).toEqual([]);
  });

  it('do not exist without content types', () => {
    const search = buildProjectSchema(catalogOf([])).schema.getQueryType()?.getFields().search;
    expect(search?.args.map(({ name }) => name)).not.toContain('where');
  });
});
