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

export const customReports = {
  list: management({
    openapi: managementRoute('GET', '/custom-reports', {
      summary: 'List custom reports',
      description:
        'Returns the custom reports of the caller and the shared ones, most recently updated first by default.',
      tags,
    }),
    resource,
    action: 'read',
  })
    .input(
      inProject({
        ...namedPaging,
      }),
    )
    .output(listOf(CustomReport)),

  create: management({
    openapi: managementRoute('POST', '/custom-reports', {
      summary: 'Create a custom report',
      description:
        'Saves what to count, group and filter. Keys are checked against the source and the content types; the source `audit` requires `auditLogs.read`.',
      tags,
      success: { status: 201, location: '/custom-reports/{id}' },
    }),
    resource,
    action: 'create',
    errors: ['limit_reached', ...named],
  })
    .input(inProject(customReportInput))
    .output(dataOf(CustomReport)),

  get: management({
    openapi: managementRoute('GET', '/custom-reports/{id}', {
      summary: 'Get a custom report',
      description: "Returns one definition: the caller's own or a shared one.",
      tags,
    }),
    resource,
    action: 'read',
    errors: ['custom_report_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(CustomReport)),

  update: management({
    openapi: managementRoute('PUT', '/custom-reports/{id}', {
      summary: 'Update a custom report',
      description: `Updates the given properties. ${byCreator}`,
      tags,
    }),
    resource,
    action: 'update',
    errors: ['custom_report_not_found', 'not_report_owner', 'no_update_fields', ...named],
  })
    .input(inProject({ id, ...customReportChange }))
    .output(dataOf(CustomReport)),

  delete: management({
    openapi: managementRoute('DELETE', '/custom-reports/{id}', {
      summary: 'Delete a custom report',
      description: `Deletes a definition. ${byCreator}`,
      tags,
    }),
    resource,
    action: 'delete',
    confirmation: 'always',
    errors: ['custom_report_not_found', 'not_report_owner'],
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
