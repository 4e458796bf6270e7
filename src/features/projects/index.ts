export { addProject } from './create-project.js';
