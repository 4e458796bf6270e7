export { AutoRedirectRepository, type PathChange } from './auto-redirect.repository.js';
export { createRedirect } from './create-redirect.js';
export { deleteRedirect } from './delete-redirect.js';
export { exportRedirects } from './export-redirects.js';
export { importRedirects } from './import-redirects.js';
export { listRedirects } from './list-redirects.js';
export { RedirectResolver, type ResolvedRedirect } from './redirect-resolver.repository.js';
export { updateRedirect } from './update-redirect.js';
