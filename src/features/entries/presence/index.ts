export { announcePresence, presentOthers } from './presence.js';
