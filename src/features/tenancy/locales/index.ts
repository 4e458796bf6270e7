export { followLocales } from './locales.js';
export { LocaleRepository, type TenantLocales } from './locale.repository.js';
export { localeRows, presentLocale } from './locales.js';
