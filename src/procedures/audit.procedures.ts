import { audit as contracts } from '../../contracts/management/audit.contract.js';
import { exportAuditEvents, listAuditEvents, listAuditLogs } from '../features/audit/list-audit-events.js';
import { verifyAuditEvents } from '../features/audit/verify-audit.js';
import { bind } from './bind.js';
import { query } from './run.js';

export const audit = bind(contracts, {
  listLogs: query(listAuditLogs),
  listEvents: query(listAuditEvents),
  exportEvents: query(exportAuditEvents),
  verify: query(verifyAuditEvents),
});
