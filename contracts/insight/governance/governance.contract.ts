import { z } from 'zod';
import { dataOf, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, inPath, InstantInput, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  DetectorName,
  GovernanceAnalysis,
  GovernanceIssue,
  IssueSeverity,
  IssueStatus,
} from './governance.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Governance'];
const resource = 'governance';
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

const instant = (description: string) =>
  InstantInput.optional().meta({ description, example: '2026-03-01T00:00:00Z' });

/** Rule governance/issues. */
export const governance = {
  lastAnalysis: management({
    openapi: managementRoute('GET', '/governance/analyze', {
      summary: 'Get the last analysis',
      description:
        'Returns the last analysis of the environment with the number of open issues, or null if none has run. An analysis runs every hour.',
      tags,
    }),
    resource,
    action: 'read',
  })
    .input(inProject({}))
    .output(dataOf(GovernanceAnalysis.nullable())),

  analyze: management({
    openapi: managementRoute('POST', '/governance/analyze', {
      summary: 'Analyze the environment',
      description:
        'Runs the detectors on what has changed since they last ran, opens, updates and resolves issues, and returns the result. Its changes become visible at once. While another analysis is running, returns that one. Issues about API keys and webhooks belong to the default environment unless a key is bound to another.',
      tags,
    }),
    resource,
    action: 'update',
    events: ['governance.issue_opened'],
  })
    .input(
      inProject({
        from: instant(
          'Start of the range to look at. Defaults to the end of the last analysis. What happened more than 30 days ago opens no issue.',
        ),
        to: instant('End of the range. Defaults to now.'),
        detectors: z
          .array(DetectorName)
          .min(1)
          .max(100)
          .optional()
          .meta({ description: 'Run only these detectors.', example: ['expiring_key'] }),
      }),
    )
    .output(dataOf(GovernanceAnalysis)),

  listIssues: management({
    openapi: managementRoute('GET', '/governance/issues', {
      summary: 'List governance issues',
      description:
        'Returns the issues of the environment, latest evidence first by default: those about entries that you can read, and the others unless your permission is limited to sites, content types or parts of the tree.',
      tags,
    }),
    resource,
    action: 'read',
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['lastSeenAt', 'firstSeenAt'], 'lastSeenAt:desc'),
        severity: anyOf(IssueSeverity, 'Filter by severity.', 'critical'),
        status: anyOf(IssueStatus, 'Filter by status.', 'open'),
        detector: anyOf(DetectorName, 'Filter by detector.', 'skipped_workflow'),
        subjectId: anyOf(z.uuid(), 'Filter by the id of the subject.', sampleId),
      }),
    )
    .output(listOf(GovernanceIssue)),

  resolve: management({
    openapi: managementRoute('POST', '/governance/issues/{id}/resolve', {
      summary: 'Acknowledge an issue',
      description:
        'Marks an issue as acknowledged. It is open again only with new evidence, and resolved when its cause disappears. Repeating the call replaces the note.',
      tags,
    }),
    resource,
    action: 'update',
    errors: ['governance_issue_not_found', 'governance_issue_resolved'],
  })
    .input(
      inProject({
        id: inPath('Id of the issue.', sampleId),
        note: z
          .string()
          .max(limits.governanceNoteLength)
          .nullable()
          .optional()
          .meta({ description: 'Why it needs no further action.', example: 'Agreed with the team.' }),
      }),
    )
    .output(dataOf(GovernanceIssue)),
};
