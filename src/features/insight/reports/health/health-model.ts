import type { HealthCode, HealthIssue } from '../../../../../contracts/insight/reports/report.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { slugFieldOf, titleFieldOf } from '../../../../content/slug-field.js';

export const severities = {
  missing_required: 'critical',
  broken_reference: 'critical',
  redirect_loop: 'critical',
  missing_alt_text: 'warning',
  stale_translation: 'warning',
  no_slug: 'warning',
  duplicate_slug: 'warning',
  missing_translation: 'info',
  orphaned: 'info',
  stale_content: 'info',
  draft_drift: 'info',
} as const satisfies Record<HealthCode, HealthIssue['severity']>;

/** Days after which live content counts as stale, and changes of a draft as forgotten (rule reports/content-health). */
export const healthDays = { stale: 180, drift: 30 } as const;

const messages: Record<HealthCode, string> = {
  missing_required: 'A required value is missing.',
  broken_reference: 'A referenced entry or asset no longer exists.',
  redirect_loop: 'The page is not live, and redirects from its path form a loop.',
  missing_alt_text: 'An image has no alternative text in the locale or its fallbacks.',
  stale_translation: 'The source was published with other content since this was translated.',
  no_slug: 'The slug is the id of the entry. Set a slug or a title.',
  duplicate_slug: 'An entry of another type on the site has the same slug.',
  missing_translation: 'The entry is not translated into the locale.',
  orphaned: 'The page is outside the tree, or no entry holds the block.',
  stale_content: `The live content was last published more than ${String(healthDays.stale)} days ago.`,
  draft_drift: `The draft has had changes that are not published for more than ${String(healthDays.drift)} days.`,
};

/** As the database returns it. */
export interface FoundIssue {
  readonly code: HealthCode;
  readonly field: string | null;
  /** Id of the block that has the field. */
  readonly block: string | null;
  readonly locale: string | null;
}

export function presentIssue({ code, field, block, locale }: FoundIssue): HealthIssue {
  return {
    code,
    severity: severities[code],
    ...(field !== null && { field }),
    ...(block !== null && { block }),
    ...(locale !== null && { locale }),
    message: messages[code],
  };
}

export interface RequiredField {
  readonly id: string;
  readonly isLocalized: boolean;
  readonly isRichText: boolean;
}

/** What the rules need to know of content types, sites and locales. */
export interface HealthModel {
  readonly required: readonly RequiredField[];
  readonly pageTypeIds: readonly string[];
  readonly blockTypeIds: readonly string[];
  readonly translatedTypeIds: readonly string[];
  /** Types whose entries have one document for every locale. */
  readonly forAll: readonly string[];
  /** Types whose slugs are made of values. */
  readonly sluggedTypeIds: readonly string[];
  readonly homeEntryIds: readonly string[];
  /** Locales that the content of each site must have. */
  readonly requiredLocales: readonly { readonly siteId: string; readonly locale: string }[];
  /** Each locale with every locale of its fallback chain. */
  readonly chains: readonly { readonly locale: string; readonly served: string }[];
}

const requiredOf = ({ fields }: ContentTypeDefinition): RequiredField[] =>
  fields
    .filter(({ required, settings }) => required && !('visibleWhen' in settings))
    .map((field) => ({
      id: field.id,
      isLocalized: field.localized,
      isRichText: kindOf(field).takesMarkup,
    }));

const hasSlugs = (type: ContentTypeDefinition): boolean =>
  !type.isBlock && (type.isPage || slugFieldOf(type) !== undefined || titleFieldOf(type) !== null);

export function healthModelOf(catalog: Catalog): HealthModel {
  const { contentTypes, locales, sites } = catalog.data;
  const idsOf = (chosen: (type: ContentTypeDefinition) => boolean): string[] =>
    contentTypes.filter(chosen).map(({ id }) => id);
  return {
    required: contentTypes.flatMap(requiredOf),
    pageTypeIds: idsOf(({ isPage }) => isPage),
    blockTypeIds: idsOf(({ isBlock }) => isBlock),
    translatedTypeIds: idsOf(
      ({ isLocalized, fields }) => isLocalized && fields.some(({ localized }) => localized),
    ),
    forAll: catalog.typesForAll,
    sluggedTypeIds: idsOf(hasSlugs),
    homeEntryIds: sites.flatMap(({ homeEntryId }) => homeEntryId ?? []),
    requiredLocales: sites.flatMap(({ id: siteId, defaultLocale, requiredLocales }) =>
      (requiredLocales.length === 0 ? [defaultLocale] : requiredLocales).map((locale) => ({
        siteId,
        locale,
      })),
    ),
    chains: locales.flatMap(({ code }) =>
      catalog.localeChain(code).map((served) => ({ locale: code, served })),
    ),
  };
}
