export { AuditChainRepository } from './audit-chain.repository.js';
export { AuditSealer, verifyChain } from './audit-chain.js';
