import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { RedirectExport } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { filterOf } from '../rules/redirect-filters.js';
import { readableSiteIds } from '../rules/redirect-rights.js';
import { RedirectRepository } from '../redirect.repository.js';
import { writeRedirectCsv } from './write-redirect-csv.js';

export async function exportRedirects(
  work: UnitOfWork,
  input: InputOf<typeof redirects.export>,
): Promise<{ data: RedirectExport }> {
  const catalog = await work.use(CatalogRepository).current();
  const maximum = limits.redirectExportRows;
  const rows = await work
    .use(RedirectRepository)
    .export(filterOf(catalog, input, readableSiteIds(work)), maximum + 1);
  if (rows.length > maximum)
    throw new AppError('limit_reached', { maximum }, 'Too many redirects for one file. Add filters.');
  return { data: { csv: writeRedirectCsv(rows, catalog), fileName: `redirects-${input.projectSlug}.csv` } };
}
