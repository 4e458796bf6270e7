import { search as contracts } from '../../contracts/management/search.contract.js';
import { reindexSearch } from '../features/search/reindex-search.js';
import { searchEntries } from '../features/search/search-entries.js';
import { bind } from './bind.js';
import { query, report } from './run.js';
import type { Services } from './services.js';

const services = ({ search }: Services) => search;

export const search = bind(contracts, {
  find: query(searchEntries, {
    read: ({ services: { search, units }, work }) => ({
      services: search,
      inUnit: (run) => units.run({ scope: work, isReadOnly: true, lock: 'none' }, run),
    }),
  }),
  reindex: report(reindexSearch, { with: services, writes: true }),
});
