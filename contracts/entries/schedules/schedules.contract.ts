import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { anyOf, inPath, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntrySchedule, JobStatus } from './schedule.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Entries'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

export const entrySchedules = {
  listSchedules: management({
    openapi: managementRoute('GET', '/entries/{id}/schedules', {
      summary: 'List the schedules of an entry',
      description:
        'Returns the jobs that publish or unpublish a locale of the entry, soonest first. Waiting jobs only, unless `status` asks for others.',
      tags,
    }),
    mcp: {
      tool: 'list_schedules',
      toolset: 'editorial',
      title: 'List schedules',
      description:
        'Lists the waiting jobs that publish or unpublish a locale of an entry. `status` asks for jobs that have ended.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found'],
  })
    .input(inProject({ id, ...paging, status: anyOf(JobStatus, 'Filter by status.', 'scheduled') }))
    .output(listOf(EntrySchedule)),

  cancelSchedule: management({
    openapi: managementRoute('DELETE', '/entries/{id}/schedules/{jobId}', {
      summary: 'Cancel a schedule',
      description:
        'Cancels a waiting job. Requires the permission to publish or unpublish the locale, as scheduling it does. A job that is running or has ended is 409.',
      tags,
    }),
    mcp: {
      tool: 'cancel_schedule',
      toolset: 'editorial',
      title: 'Cancel schedule',
      description: 'Cancels a waiting job of list_schedules.',
      destructive: true,
    },
    resource: 'entries',
    action: 'any',
    events: ['entry.schedule_canceled'],
    confirmation: 'always',
    errors: ['entry_not_found', 'job_not_found', 'job_not_reschedulable'],
  })
    .input(inProject({ id, jobId: inPath('Id of the job.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70') }))
    .output(dataOf(Deleted)),
};
