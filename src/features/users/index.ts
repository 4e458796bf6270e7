export { createUser } from './create-user.js';
export { getUser } from './get-user.js';
export { listUsers } from './list-users.js';
export { MemberLookup } from './member-lookup.repository.js';
export { newAccount } from './new-account.js';
export { removeUser } from './remove-user.js';
export { TenantOwnerRepository } from './tenant-owner.repository.js';
export { updateUser } from './update-user.js';
