export { createSite } from './create-site.js';
export { deleteSite } from './delete-site.js';
export { getSite } from './get-site.js';
export { listSites } from './list-sites.js';
export { updateSite } from './update-site.js';
