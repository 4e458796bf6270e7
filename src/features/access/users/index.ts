export { AccountRepository, MemberLookup, TenantOwnerRepository } from './account.repository.js';
export { MemberRepository } from './member.repository.js';
export { inviteOwner } from './invitations.js';
export { newAccount } from './users.js';
