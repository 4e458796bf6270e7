export { followLocales } from './follow-locales.js';
export { LocaleRepository, type TenantLocales } from './locale.repository.js';
export { localeRows, presentLocale } from './locale-rows.js';
