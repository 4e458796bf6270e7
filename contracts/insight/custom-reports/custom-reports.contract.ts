import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, namedPaging } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  CustomReport,
  customReportChange,
  customReportInput,
  CustomReportMeta,
  CustomReportResult,
  customReportRunRange,
} from './custom-report.js';
import { reportFileInput, reportFileResponse } from '../reports/report.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Reports'];
const resource = 'reports';
const id = inPath('Id of the custom report.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const byCreator = 'Only the creator may do this; others get 403 `not_report_owner`.';
const named = ['site_not_found', 'content_type_not_found', 'locale_not_found'] as const;

const crud = crudOf({
  path: '/custom-reports',
  key: 'id',
  resource,
  tags,
  notFound: 'custom_report_not_found',
});

export const customReports = {
  list: crud
    .list({
      summary: 'List custom reports',
      description:
        'Returns the custom reports of the caller and the shared ones, most recently updated first by default.',
    })
    .input(
      inProject({
        ...namedPaging,
      }),
    )
    .output(listOf(CustomReport)),

  create: crud
    .create({
      summary: 'Create a custom report',
      description:
        'Saves what to count, group and filter. Keys are checked against the source and the content types; the source `audit` requires `auditLogs.read`.',
      errors: ['limit_reached', ...named],
    })
    .input(inProject(customReportInput))
    .output(dataOf(CustomReport)),

  get: crud
    .get({
      summary: 'Get a custom report',
      description: "Returns one definition: the caller's own or a shared one.",
    })
    .input(inProject({ id }))
    .output(dataOf(CustomReport)),

  update: crud
    .update({
      summary: 'Update a custom report',
      description: `Updates the given properties. ${byCreator}`,
      errors: ['not_report_owner', ...named],
    })
    .input(inProject({ id, ...customReportChange }))
    .output(dataOf(CustomReport)),

  delete: crud
    .delete({
      summary: 'Delete a custom report',
      description: `Deletes a definition. ${byCreator}`,
      errors: ['not_report_owner'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  run: management({
    openapi: managementRoute('GET', '/custom-reports/{id}/run', {
      summary: 'Run a custom report',
      description:
        'Returns totals and groups, by date or by the first metric. Counts cover the environment of the call and what the caller may read. A run that reads too much is 422 `report_too_large`.',
      tags,
      textResponse: reportFileResponse,
    }),
    resource,
    action: 'read',
    errors: ['custom_report_not_found', 'report_too_large', ...named],
  })
    .input(
      inProject({
        id,
        ...customReportRunRange,
        ...reportFileInput,
      }),
    )
    .output(z.object({ data: CustomReportResult, meta: CustomReportMeta })),
};
