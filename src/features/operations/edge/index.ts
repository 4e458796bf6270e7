export { EdgePurges } from './edge-purges.js';
