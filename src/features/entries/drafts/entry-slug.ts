import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { ContentTypeDefinition } from '../../../content/catalog.js';
import { slugFieldOf, slugSourceOf } from '../../../content/slug-field.js';
import { titleFieldOf } from '../../../content/title-field.js';
import { isFound } from '../../../content/model/pattern.js';
import { makeSlug, normalizeSlug } from '../../../content/make-slug.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { SlugRepository, type SlugScope } from './slug.repository.js';

const MAXIMUM_TITLE_LENGTH = 300;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What names an entry to people: its title field, else its slug. */
export function titleOf(type: ContentTypeDefinition, values: FieldValues, slug: string): string {
  const named = titleFieldOf(type);
  const title = named === null ? '' : textOf(values[named]).trim().replace(/\s+/g, ' ');
  const short = [...title].slice(0, MAXIMUM_TITLE_LENGTH).join('');
  return short === '' ? slug : short;
}

/** What a slug is made from, best first (decisions 2.29). */
interface SlugSources {
  readonly type: ContentTypeDefinition;
  readonly values: FieldValues;
  /** The slug that the caller gave. */
  readonly given: string | undefined;
  /** Slug of another locale, for a translation without a title of its own. */
  readonly sibling: string | undefined;
  readonly scope: SlugScope;
}

/** A slug that somebody chose: the caller, or a value of the slug field. */
function chosenSlug({ type, values, given }: SlugSources): string | undefined {
  const field = slugFieldOf(type);
  const value = field === undefined ? undefined : values[field];
  const slug = given ?? (typeof value === 'string' && value !== '' ? value : undefined);
  return slug === undefined ? undefined : normalizeSlug(slug);
}

/** A slug made by the service from the field that the slug field names, else from the title. */
function generateSlug({ type, values, sibling, scope }: SlugSources): string {
  const sourceField = slugSourceOf(type);
  const source = sourceField === undefined ? '' : textOf(values[sourceField]);
  return makeSlug(source) ?? makeSlug(titleOf(type, values, '')) ?? sibling ?? scope.entryId;
}

/**
 * The slug of one locale. One that somebody chose is taken as it is, and a conflict is theirs to
 * mend; one made by the service steps aside with -2, -3 …
 */
export async function slugFor(work: UnitOfWork, sources: SlugSources): Promise<string> {
  const slug = chosenSlug(sources);
  const slugs = work.use(SlugRepository);
  if (slug === undefined) return slugs.firstFree(generateSlug(sources), sources.scope);
  if (await slugs.isTaken(slug, sources.scope))
    throw new AppError('slug_conflict', { slug, locale: sources.scope.locale });
  return slug;
}

/** @throws AppError 422 where the caller's slug does not match the type's pattern */
export function assertSlugPattern({ slugPattern }: ContentTypeDefinition, slug: string | undefined): void {
  if (slug === undefined || slugPattern === null || isFound(slug, slugPattern)) return;
  throw invalidInput({
    path: ['slug'],
    code: 'pattern_mismatch',
    message: 'The slug does not match the pattern of the content type.',
  });
}
