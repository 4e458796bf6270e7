import { invalidInput } from '../../../../../contracts/errors.js';
import type { ContentTypeDefinition } from '../../../../content/catalog.js';
import {
  slugFieldOf,
  slugSourceOf,
  titleFieldOf,
  makeSlug,
  normalizeSlug,
} from '../../../../content/slug-field.js';
import { isFound } from '../../../../content/model/pattern.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { SlugRepository, type SlugScope } from './slug.repository.js';

const MAXIMUM_TITLE_LENGTH = 300;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The title field's value, else the slug. */
export function titleOf(type: ContentTypeDefinition, values: FieldValues, slug: string): string {
  const named = titleFieldOf(type);
  const title = named === null ? '' : textOf(values[named]).trim().replace(/\s+/g, ' ');
  const short = [...title].slice(0, MAXIMUM_TITLE_LENGTH).join('');
  return short === '' ? slug : short;
}

/** Sources of a slug, in order of precedence (rule entries/slugs). */
export interface SlugSources {
  readonly type: ContentTypeDefinition;
  readonly values: FieldValues;
  /** Requested by the caller. */
  readonly given: string | undefined;
  /** Slug of another locale, for a translation without a title. */
  readonly sibling: string | undefined;
  readonly scope: SlugScope;
}

function chosenSlug({ type, values, given }: SlugSources): string | undefined {
  const field = slugFieldOf(type);
  const value = field === undefined ? undefined : values[field];
  const slug = given ?? (typeof value === 'string' && value !== '' ? value : undefined);
  return slug === undefined ? undefined : normalizeSlug(slug);
}

function generateSlug({ type, values, sibling, scope }: SlugSources): string {
  const sourceField = slugSourceOf(type);
  const source = sourceField === undefined ? '' : textOf(values[sourceField]);
  const made = makeSlug(source, scope.locale) ?? makeSlug(titleOf(type, values, ''), scope.locale);
  return made ?? sibling ?? scope.entryId;
}

/** A chosen slug must be free; a generated one is numbered -2, -3, … on conflict. */
export interface WantedSlug {
  readonly slug: string;
  readonly isChosen: boolean;
  readonly scope: SlugScope;
}

export function wantedSlug(sources: SlugSources): WantedSlug {
  const { scope } = sources;
  const chosen = chosenSlug(sources);
  return { slug: chosen ?? generateSlug(sources), isChosen: chosen !== undefined, scope };
}

/** @throws AppError 409 `slug_conflict`, `slug_reserved` */
export async function slugFor(work: UnitOfWork, sources: SlugSources): Promise<string> {
  const { slug, isChosen, scope } = wantedSlug(sources);
  const slugs = work.use(SlugRepository);
  if (!isChosen) return slugs.firstFree(slug, scope);
  if (await slugs.isTaken(slug, scope)) throw await slugs.refusal(slug, scope);
  return slug;
}

export function assertSlugPattern({ slugPattern }: ContentTypeDefinition, slug: string | undefined): void {
  if (slug === undefined || slugPattern === null || isFound(slug, slugPattern)) return;
  throw invalidInput({
    path: ['slug'],
    code: 'pattern_mismatch',
    message: 'The slug does not match the pattern of the content type.',
  });
}
