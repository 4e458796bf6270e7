import { deliveryReads } from '../delivery/delivery.contract.js';
import { apiKeys } from '../management/api-keys.contract.js';
import { audit } from '../management/audit.contract.js';
import { calendar } from '../management/calendar.contract.js';
import { contentTypes } from '../management/content-types.contract.js';
import { customFieldTypes } from '../management/custom-field-types.contract.js';
import { customReports } from '../management/custom-reports.contract.js';
import { entries } from '../management/entries.contract.js';
import { environments } from '../management/environments.contract.js';
import { fields } from '../management/fields.contract.js';
import { governance } from '../management/governance.contract.js';
import { ipAllowlist } from '../management/ip-allowlist.contract.js';
import { locales } from '../management/locales.contract.js';
import { mediaFolders } from '../management/media-folders.contract.js';
import { mediaUploads } from '../management/media-uploads.contract.js';
import { me } from '../management/me.contract.js';
import { media } from '../management/media.contract.js';
import { promotions } from '../management/promotions.contract.js';
import { redirects } from '../management/redirects.contract.js';
import { reports } from '../management/reports.contract.js';
import { search } from '../management/search.contract.js';
import { sites } from '../management/sites.contract.js';
import { tasks } from '../management/tasks.contract.js';
import { translations } from '../management/translations.contract.js';
import { tree } from '../management/tree.contract.js';
import { users } from '../management/users.contract.js';
import { views } from '../management/views.contract.js';
import { workflows } from '../management/workflows.contract.js';
import { projects } from '../platform/projects.contract.js';
import { sessions } from '../platform/sessions.contract.js';
import { tenants } from '../platform/tenants.contract.js';

/**
 * The contracts of every resource but roles and webhooks, one line per resource. Grants name their resources,
 * webhooks their events.
 */
export const subjects = {
  delivery: deliveryReads,
  contentTypes,
  fields,
  customFieldTypes,
  entries,
  sites,
  media,
  mediaFolders,
  mediaUploads,
  redirects,
  tree,
  apiKeys,
  users,
  ipAllowlist,
  views,
  workflows,
  environments,
  calendar,
  search,
  translations,
  tasks,
  promotions,
  governance,
  audit,
  reports,
  customReports,
  locales,
  me,
  tenants,
  projects,
  sessions,
} as const;
