import { stringify } from 'csv-stringify/sync';
import type { Catalog } from '../../../content/catalog.js';
import { escapeFormula } from './formula-cells.js';
import { csvColumns } from './read-redirect-csv.js';
import type { RedirectRow } from '../redirect.repository.js';

export function writeRedirectCsv(rows: readonly RedirectRow[], catalog: Catalog): string {
  const records = rows.map((row) => ({
    source: row.source,
    target: row.target ?? '',
    status: String(row.status),
    site: catalog.site(row.siteId)?.slug ?? '',
    locale: row.locale ?? '',
    matchType: row.matchType,
    queryMatch: row.queryMatch,
    isActive: String(row.isActive),
    note: row.note ?? '',
  }));
  return stringify(records, {
    header: true,
    columns: [...csvColumns],
    record_delimiter: 'windows',
    // Either character alone ends a line when parsed.
    quoted_match: /[\r\n]/,
    cast: { string: escapeFormula },
  });
}
