export { bulkEntries } from './bulk-entries.js';
