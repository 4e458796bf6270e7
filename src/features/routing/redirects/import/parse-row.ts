import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import { limits } from '../../../../../contracts/limits.js';
import type {
  QueryMatch,
  RedirectImportIssue,
  RedirectMatch,
  RedirectStatus,
} from '../../../../../contracts/routing/redirects/redirect.js';
import { checkExactText } from '../../../../content/exact-json/exact-json.js';
import type { CsvRow } from './redirect-csv.js';
import { parsePaths } from '../redirect-rule.js';
import { isAllowedTarget } from '../redirect-target.js';

/** Values of columns missing from the file are absent. */
export interface ImportRow {
  readonly line: number;
  readonly siteId: string;
  readonly source: string;
  /** Null with status 410. */
  readonly target: string | null;
  readonly locale: string | null;
  readonly given: {
    readonly status?: RedirectStatus;
    readonly matchType?: RedirectMatch;
    readonly queryMatch?: QueryMatch;
    readonly isActive?: boolean;
    readonly note?: string | null;
  };
}

export interface ImportContext {
  readonly catalog: Catalog;
  /** For rows without a site. */
  readonly defaultSite: SiteDefinition | undefined;
  readonly mayWrite: (siteId: string, locale: string | null) => boolean;
}

class RowRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const statuses: ReadonlyMap<string, RedirectStatus> = new Map([
  ['', 301],
  ['301', 301],
  ['302', 302],
  ['307', 307],
  ['308', 308],
  ['410', 410],
]);
const matchTypes: ReadonlyMap<string, RedirectMatch> = new Map([
  ['', 'exact'],
  ['exact', 'exact'],
  ['prefix', 'prefix'],
  ['regex', 'regex'],
]);
const queryMatches: ReadonlyMap<string, QueryMatch> = new Map([
  ['', 'ignore'],
  ['ignore', 'ignore'],
  ['exact', 'exact'],
  ['pass', 'pass'],
]);
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function oneOf<T>(values: ReadonlyMap<string, T>, cell: string, code: string): T {
  const value = values.get(cell.toLowerCase());
  if (value !== undefined) return value;
  const known = [...values.keys()].filter((key) => key !== '').join(', ');
  throw new RowRefusal(code, `The value must be one of ${known}.`);
}

function noteOf(cell: string): string | null {
  if (cell.length > limits.commentLength)
    throw new RowRefusal('too_long', `A note has at most ${limits.commentLength} characters.`);
  if (!checkExactText(cell))
    throw new RowRefusal('invalid_text', 'The note contains a character that cannot be stored.');
  return cell || null;
}

function siteOf(slug: string | undefined, context: ImportContext): SiteDefinition {
  const site = slug ? context.catalog.siteBySlug(slug) : context.defaultSite;
  if (site === undefined && slug) throw new RowRefusal('site_not_found', 'Site not found.');
  if (site === undefined)
    throw new RowRefusal(
      'site_required',
      'Name the site or send siteId. The project does not have exactly one site.',
    );
  return site;
}

function givenValues({
  status,
  matchType,
  queryMatch,
  isActive,
  note,
}: NonNullable<CsvRow['cells']>): ImportRow['given'] {
  return {
    ...(status !== undefined && { status: oneOf(statuses, status, 'invalid_status') }),
    ...(matchType !== undefined && { matchType: oneOf(matchTypes, matchType, 'invalid_match_type') }),
    ...(queryMatch !== undefined && {
      queryMatch: oneOf(queryMatches, queryMatch, 'invalid_query_match'),
    }),
    ...(isActive !== undefined && { isActive: oneOf(booleans, isActive, 'invalid_is_active') }),
    ...(note !== undefined && { note: noteOf(note) }),
  };
}

function parseCells({ line, cells, isTooLong }: CsvRow, context: ImportContext): ImportRow {
  if (cells === null) throw new RowRefusal('invalid_row', 'The row has an unclosed quote or is too long.');
  if (isTooLong) throw new RowRefusal('column_count', 'The row has more cells than the header.');
  const site = siteOf(cells.site, context);
  const locale = cells.locale || null;
  if (locale !== null && !site.locales.includes(locale))
    throw new RowRefusal('locale_not_found', 'The site does not have this locale.');
  if (!context.mayWrite(site.id, locale))
    throw new RowRefusal('permission_denied', 'The credential does not permit writing to this site.');
  const given = givenValues(cells);
  const { source = '', target = '' } = cells;
  // Without a status, the stored one counts, and the row is checked again after merging.
  const status = given.status ?? (target === '' ? 410 : 301);
  const paths = parsePaths({ source, target: target || null, matchType: given.matchType ?? 'exact', status });
  if ('source' in paths) {
    if (!isAllowedTarget(paths.target, site.allowedTargets))
      throw new RowRefusal('target_not_allowed', 'The site does not allow redirects to this host.');
    return { line, siteId: site.id, ...paths, locale, given };
  }
  const [fault] = paths;
  throw new RowRefusal(fault?.code ?? 'invalid_row', `${fault?.key ?? 'row'}: ${fault?.message ?? ''}`);
}

export function parseRow(row: CsvRow, context: ImportContext): ImportRow | RedirectImportIssue {
  try {
    return parseCells(row, context);
  } catch (error) {
    if (!(error instanceof RowRefusal)) throw error;
    return { line: row.line, code: error.code, message: error.message };
  }
}
