export { applyView } from './apply-view.js';
