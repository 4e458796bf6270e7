import { tenantLocales } from '../../../contracts/tenancy/locales/tenant-locales.contract.js';
import { resourceOf } from '../resources/resource-config.js';
import { localeForm, localeList, type Locale } from '../structure/locale-list.js';
import { localeName, t } from '../texts/index.js';
import { TenantPartScreen } from './tenant-part-screen.js';

const resource = resourceOf<Locale>({
  name: 'tenantLocales',
  contracts: tenantLocales,
  ...localeList,
  columns: ['code', 'name', 'fallbackCode', 'isDefault', 'isActive'],
  cells: { code: ({ code }) => localeName(code) },
  form: localeForm,
  refreshes: [[['tenants']], [['locales']]],
});

/** Locales of any tenant, for super-admins. */
export const TenantLocalesScreen = () => (
  <TenantPartScreen about={(tenant) => t('locales.ofTenant', { tenant })} resource={resource} />
);
