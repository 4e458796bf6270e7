import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { locales } from '../../../../contracts/content/locales/locales.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Locale } from '../../../../contracts/tenancy/tenants/tenant.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';

export async function listLocales(
  work: UnitOfWork,
  input: InputOf<typeof locales.list>,
): Promise<{ data: Locale[]; meta: PageMeta }> {
  const { locales } = (await work.use(CatalogRepository).current()).data;
  const start = (input.page - 1) * input.limit;
  return listEnvelope({ items: locales.slice(start, start + input.limit), total: locales.length }, input);
}
