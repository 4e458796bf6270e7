export { applyView } from './views.js';
