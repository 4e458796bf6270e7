export { addProject, createProject } from './create-project.js';
export { listProjects } from './list-projects.js';
