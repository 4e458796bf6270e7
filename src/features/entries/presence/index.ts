export { presentOthers } from './presence.js';
