export { AuditChainRepository } from './audit-chain.repository.js';
export { AuditSealer } from './audit-sealer.js';
export { exportAuditEvents, listAuditEvents, listAuditLogs } from './list-audit-events.js';
export { verifyAuditEvents, verifyChain } from './verify-audit.js';
