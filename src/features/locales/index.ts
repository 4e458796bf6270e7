export { listLocales } from './list-locales.js';
