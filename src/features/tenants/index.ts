export { createTenant } from './create-tenant.js';
export { deactivateTenant } from './deactivate-tenant.js';
export { getTenant } from './get-tenant.js';
export { listTenants } from './list-tenants.js';
export { updateTenant } from './update-tenant.js';
