import { search as contracts } from '../../contracts/management/search.contract.js';
import { reindexSearch } from '../features/search/reindex-search.js';
import { searchEntries, type EntrySearch } from '../features/search/search-entries.js';
import { searchForAgents } from '../features/search/search-for-agents.js';
import { bind } from './bind.js';
import type { OperationScope } from './call.js';
import { query, report } from './run.js';
import type { Services } from './services.js';

const services = ({ search }: Services) => search;

/** The use case opens units of work itself. */
const searching = {
  read: ({ services: { search, units }, work }: OperationScope): EntrySearch => ({
    services: search,
    inUnit: (run) => units.run({ scope: work, isReadOnly: true, lock: 'none' }, run),
  }),
};

export const search = bind(contracts, {
  find: query(searchEntries, searching),
  tool: query(searchForAgents, searching),
  reindex: report(reindexSearch, { with: services, writes: true }),
});
