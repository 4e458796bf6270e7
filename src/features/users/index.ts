export { MemberLookup } from './member-lookup.repository.js';
export { MemberRepository } from './member.repository.js';
export { newAccount } from './new-account.js';
export { TenantOwnerRepository } from './tenant-owner.repository.js';
