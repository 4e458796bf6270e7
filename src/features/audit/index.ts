export { AuditChainRepository } from './audit-chain.repository.js';
export { AuditSealer } from './audit-sealer.js';
export { verifyChain } from './verify-audit.js';
