import { access } from './requirements-access.js';
import { later, type Requirement } from './requirement.js';
import { content } from './requirements-content.js';
import { decided } from './requirements-decided.js';
import { graphql } from './requirements-graphql.js';
import { ofWebhooks } from './requirements-webhooks.js';

/** The specification's rules and the numbered decisions. Tests cite the ids with `verifies`. */
export const requirements = {
  'spec-2.1-entry': {
    source: 'spec 2.1',
    text: 'Delivery entries have the underscore keys and fields, and no version or times.',
  },
  'spec-2.1-rich-text': { source: 'spec 2.1', text: 'Rich text is delivered as raw, html and text.' },
  'spec-2.1-links': {
    source: 'spec 2.1',
    text: 'References are link objects at include=0 and full entries from 1 on.',
  },
  'spec-2.2': {
    source: 'spec 2.2',
    text: 'Routes resolve to an entry or a redirect.',
  },
  'spec-2.3': { source: 'spec 2.3', text: 'Lists are { data, meta: { total, page, limit, pages } }.' },
  'spec-2.4-types': {
    source: 'spec 2.4',
    text: 'Each content type is a GraphQL type in PascalCase with its fields verbatim.',
  },
  'spec-2.4-custom': {
    source: 'spec 2.4',
    text: 'Custom field types are JSON, or a named type that follows from their schema.',
  },
  'spec-2.4-unions': { source: 'spec 2.4', text: 'References resolve to the linked type or a union.' },
  'spec-2.5': {
    source: 'spec 2.5',
    text: 'Media assets have overlays per locale.',
    deferred: later('media'),
  },
  'spec-3-locales': { source: 'spec 3', text: 'Entries are published and unpublished per locale.' },
  'spec-3-workflow': {
    source: 'spec 3',
    text: 'Entries move through workflows.',
    deferred: later('workflows'),
  },
  'spec-4-envelopes': {
    source: 'spec 4',
    text: 'Success is { data }, failure { error, message, details? }.',
  },
  'spec-4.1-entry': {
    source: 'spec 4.1',
    text: 'GET entries/{id} answers one entry resolved for the locale.',
  },
  'spec-4.1-include': {
    source: 'spec 4.1.3',
    text: 'include expands 0 to 3 hops; a revisited id stays a link.',
  },
  'spec-4.1-list': { source: 'spec 4.1', text: 'GET content/{type} pages entries with full values.' },
  'spec-4.1-order': {
    source: 'spec 4.1.2',
    text: 'The content list sorts by updatedAt:desc unless told otherwise.',
  },
  'spec-4.1-no-field-sort': { source: 'spec 4.1.4', text: 'Delivery does not sort by fields.' },
  'spec-4.1-routes': {
    source: 'spec 4.1',
    text: 'GET routes resolves a path.',
  },
  'spec-4.1-media': {
    source: 'spec 4.1',
    text: 'GET media/{assetId} answers metadata with overlay.',
    deferred: later('media'),
  },
  'spec-4.1-sitemap': {
    source: 'spec 4.1.1',
    text: 'The sitemap lists alternates.',
  },
  'spec-4.3-content-types': {
    source: 'spec 4.3',
    text: 'Content types: list, create, read, update, delete, delete-check.',
  },
  'spec-4.3-fields': { source: 'spec 4.3', text: 'Fields: list, add, update, delete.' },
  'spec-4.3-entries': { source: 'spec 4.3', text: 'Entries: list, create, read, update, soft-delete.' },
  'spec-4.3-publish': { source: 'spec 4.3', text: 'Entries: publish and unpublish a locale.' },
  'spec-4.3-entry-extras': {
    source: 'spec 4.3',
    text: 'Entries: duplicate, copy-locale, versions, restore, references, preview, bulk.',
  },
  'spec-4.3-tree': {
    source: 'spec 4.3',
    text: 'Trees and their nodes.',
  },
  'spec-4.3-sites': { source: 'spec 4.3', text: 'Sites: list, create, read, update, delete.' },
  'spec-4.3-redirects': {
    source: 'spec 4.3',
    text: 'Redirects with import and export.',
  },
  'spec-4.3-environments': {
    source: 'spec 4.3',
    text: 'Environments and promotion.',
    deferred: later('environments'),
  },
  'spec-4.3-translations': {
    source: 'spec 4.3',
    text: 'Translation dashboard and status.',
    deferred: later('translations'),
  },
  'spec-4.3-views': { source: 'spec 4.3', text: 'Saved views.', deferred: later('saved views') },
  'spec-4.3-api-keys': { source: 'spec 4.3', text: 'API keys: list, create, revoke.' },
  'spec-4.3-webhooks': { source: 'spec 4.3', text: 'Webhooks: list, create, update, delete, test.' },
  'spec-4.3-roles': { source: 'spec 4.3', text: 'Roles, grants and users.' },
  'spec-4.3-audit-logs': { source: 'spec 4.3', text: 'audit-logs is a stub.' },
  'spec-4.3-search': {
    source: 'spec 4.3',
    text: 'Search, calendar, reports, governance.',
    deferred: later('search and reports'),
  },
  'spec-4.3-custom-fields': {
    source: 'spec 4.3',
    text: 'Custom field types are listed, registered, updated and deleted.',
  },
  'spec-4.3-ip-allowlist': { source: 'spec 4.3', text: 'IP allowlist: list, add, settings, edit, delete.' },
  'spec-4.3-tenants': {
    source: 'spec 4.3',
    text: 'Tenants: list, create, read, update, deactivate; super-admins only.',
  },
  'spec-4.4-transport': { source: 'spec 4.4', text: 'MCP speaks streamable HTTP with GET and POST.' },
  'spec-4.4-tools': {
    source: 'spec 4.4',
    text: 'The tools of the table do what it says.',
  },
  'dec-2.24-dry-run': {
    source: '2.24',
    text: 'A tool that writes can be tried with dryRun: it answers what would change, and nothing does.',
  },
  'dec-2.24-confirm': {
    source: '2.24, 2.30',
    text: 'With requireConfirmation publish, unpublish and delete answer a preview and a token first.',
  },
  'dec-2.24-more-tools': {
    source: '2.24',
    text: 'Agents check drafts, compare versions, find references and get preview links.',
  },
  'spec-4.4-resources': { source: 'spec 4.4', text: 'Content types and sites are resources.' },
  'spec-5-table': { source: 'spec 5', text: 'Each interface accepts the credentials of the table.' },
  'spec-5-1': {
    source: 'spec 5.1',
    text: 'Without a credential, delivery reads what is published and nothing else opens.',
  },
  'spec-5-1-preview': { source: 'spec 5.1', text: 'A preview key adds drafts.' },
  'spec-5-3': {
    source: 'spec 5.3',
    text: 'A delivery key on MCP is 403 wrong_key_type; sessions are not accepted.',
  },
  'spec-5-4': { source: 'spec 5.4', text: 'Each tool call needs its action; an empty list means all.' },
  'spec-5-5': {
    source: 'spec 5.5',
    text: 'Each tool call counts against the key’s rate limit; over it the reply is rate_limit_exceeded.',
  },
  'spec-5-6': { source: 'spec 5.6', text: 'Scoping to sites is not applied to reads.' },
  'spec-5-10': { source: 'spec 5.10', text: 'An IP allowlist with rules and settings is managed.' },
  'spec-5-7': { source: 'spec 5.7', text: 'Audit records of MCP calls carry the key’s id and type.' },
  'spec-6-audit': { source: 'spec 6', text: 'Every mutation leaves one audit record with before and after.' },
  'spec-7-422': { source: 'spec 7', text: 'Input of the wrong shape is 422 with details.' },
  'spec-8-headers': {
    source: 'spec 8',
    text: 'Delivery answers carry Cache-Control, Surrogate-Key and X-Request-Id.',
  },
  'spec-8-region': { source: 'spec 8', text: 'X-Service-Data-Region is present when it is configured.' },
  'spec-8-limit': { source: 'spec 8', text: 'limit is 25 by default and at most 100.' },
  'spec-9-version': { source: 'spec 9.2', text: 'Updates pass the version: of two writers one wins.' },
  ...decided,
  ...content,
  ...access,
  ...graphql,
  ...ofWebhooks,
} as const satisfies Readonly<Record<string, Requirement>>;

/** The id of a requirement. */
export type RequirementId = keyof typeof requirements;
