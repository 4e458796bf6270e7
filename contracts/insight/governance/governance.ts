import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

const detectorNames = [
  'skipped_workflow',
  'bulk_delete_spike',
  'publish_spike',
  'off_hours_activity',
  'unrestricted_key',
  'no_expiry_key',
  'stale_key',
  'expiring_key',
  'high_error_rate',
  'rate_limit_pressure',
  'new_ip',
  'self_approval',
  'failing_webhook',
  'orphaned_webhook',
  'orphaned_schedule',
  'missing_asset_file',
  'stale_translation_live',
  'unreviewed_agent_publish',
] as const;

export const DetectorName = z
  .enum(detectorNames)
  .meta({ description: 'What finds the issue.', example: 'skipped_workflow' });
export type DetectorName = z.infer<typeof DetectorName>;

export const IssueSeverity = z
  .enum(['info', 'warning', 'critical'])
  .meta({ description: 'How serious the issue is.', example: 'warning' });
export type IssueSeverity = z.infer<typeof IssueSeverity>;

export const IssueStatus = z.enum(['open', 'acknowledged', 'resolved']).meta({
  description:
    '`acknowledged`: a user has seen it. `resolved`: the last analysis no longer found its cause. Either is open again with new evidence.',
  example: 'open',
});
export type IssueStatus = z.infer<typeof IssueStatus>;

export const SubjectType = z.enum(['api_key', 'asset', 'entry', 'user', 'webhook']);
export type SubjectType = z.infer<typeof SubjectType>;

/** Rule governance/issues. One per detector and subject. */
export const GovernanceIssue = z
  .object({
    id: z.string(),
    detector: DetectorName,
    severity: IssueSeverity,
    status: IssueStatus,
    subject: z
      .object({ type: SubjectType, id: z.string(), name: z.string() })
      .meta({ description: 'What the issue is about.' }),
    message: z.string().meta({ description: 'What is wrong, in English.' }),
    evidence: z.record(z.string(), z.unknown()).meta({
      description: 'What was found. Its keys depend on the detector.',
    }),
    count: z.int().meta({
      description: 'Number of events or locales in the evidence.',
    }),
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp.meta({ description: 'Time of the latest evidence.' }),
    resolvedBy: Actor.nullable().meta({
      description: 'Who acknowledged it. Null if it is open, or if its cause disappeared before.',
    }),
    resolvedAt: Timestamp.nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'GovernanceIssue', description: 'Something that a detector found.' });
export type GovernanceIssue = z.infer<typeof GovernanceIssue>;

const counts = (names: string) =>
  z
    .record(z.string(), z.int())
    .meta({ description: `Open issues by ${names}; without those that have none.` });

/** Rule governance/issues. */
export const GovernanceAnalysis = z
  .object({
    analysisId: z.string(),
    status: z.enum(['running', 'completed', 'failed']).meta({
      description: 'A failed analysis changed nothing. It is repeated within the hour.',
    }),
    startedAt: Timestamp,
    completedAt: Timestamp.nullable(),
    summary: z
      .object({
        open: z.int(),
        bySeverity: counts('severity'),
        byDetector: counts('detector'),
      })
      .meta({ description: 'The open issues that you can read, as they are now.' }),
  })
  .meta({ id: 'GovernanceAnalysis', description: 'The last analysis of an environment.' });
export type GovernanceAnalysis = z.infer<typeof GovernanceAnalysis>;
