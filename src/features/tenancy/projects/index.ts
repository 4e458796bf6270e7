export { addProject } from './projects.js';
