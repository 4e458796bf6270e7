import { locales as contracts } from '../../contracts/management/locales.contract.js';
import { listLocales } from '../features/locales/list-locales.js';
import { bind } from './bind.js';
import { query } from './run.js';

export const locales = bind(contracts, {
  list: query(listLocales),
});
