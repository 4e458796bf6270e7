import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { timeFilters } from '../../primitives.js';
import { management } from '../../procedure.js';
import { AuditCheck, AuditEvent, AuditInterface } from './audit-event.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Audit'];
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const stringFilter = (description: string, example: string) =>
  z.string().min(1).max(200).optional().meta({ description, example });
const filters = {
  actorId: stringFilter('Filter by user or key.', sampleId),
  action: stringFilter('Filter by action.', 'entry.update'),
  targetType: stringFilter('Filter by type of target.', 'entry'),
  targetId: stringFilter('Filter by target.', sampleId),
  interface: AuditInterface.optional().meta({
    description: 'Filter by interface.',
    example: 'mcp',
  }),
  ...timeFilters('events'),
  cursor: z.string().min(1).max(200).optional().meta({
    description: '`meta.nextCursor` of the previous page.',
    example: 'MTc2MzcyNjQwMDAwMC4wMTlhM2I1ZS03YzFhLTdmMDAtODAwMC0zZjFkMmM0YjVhNjk',
  }),
};
const pageLimit = (maximum: number, initial: number) =>
  z.int().min(1).max(maximum).default(initial).meta({ description: 'Events per page.', example: initial });
const CursorPage = z.object({
  data: z.array(AuditEvent),
  meta: z.object({
    limit: z.int(),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
});

export const audit = {
  listLogs: management({
    openapi: managementRoute('GET', '/audit-logs', {
      summary: 'List audit logs',
      description: 'Returns an empty list. Use `audit-events` instead.',
      tags,
    }),
    resource: 'auditLogs',
    action: 'read',
  })
    .input(inProject({}))
    .output(z.object({ data: z.array(AuditEvent).max(0) })),

  listEvents: management({
    openapi: managementRoute('GET', '/audit-events', {
      summary: 'List audit events',
      description: 'Returns every change in the project, latest first, with cursor pagination.',
      tags,
    }),
    resource: 'auditLogs',
    action: 'read',
  })
    .input(inProject({ ...filters, limit: pageLimit(limits.pageLimitMaximum, limits.pageLimitDefault) }))
    .output(CursorPage),

  exportEvents: management({
    openapi: managementRoute('GET', '/audit-events/export', {
      summary: 'Export audit events',
      description:
        'Returns every matching change in the project, latest first, as newline-delimited JSON. Over tRPC, `limit` sets the page size; REST returns all events.',
      tags,
      streaming: {
        mediaType: 'application/x-ndjson',
        example: `{"id":"${sampleId}","at":"2027-01-01T00:00:00.000Z","action":"entry.update"}\n`,
      },
    }),
    resource: 'auditLogs',
    action: 'read',
  })
    .input(inProject({ ...filters, limit: pageLimit(limits.auditExportPage, limits.auditExportPage) }))
    .output(CursorPage),

  verify: management({
    openapi: managementRoute('GET', '/audit-events/verify', {
      summary: 'Verify audit events',
      description: `Verifies the chain of sealed audit records of the project, at most ${limits.auditRecordsPerCheck} records per call.`,
      tags,
    }),
    resource: 'auditLogs',
    action: 'read',
  })
    .input(
      inProject({
        fromBlock: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().meta({
          description: '`nextBlock` of the previous call. Defaults to the first block.',
          example: 1,
        }),
      }),
    )
    .output(dataOf(AuditCheck)),
};
