import { deliveryReads } from '../publishing/delivery/delivery.contract.js';
import { apiKeys } from '../access/api-keys/api-keys.contract.js';
import { audit } from '../insight/audit/audit.contract.js';
import { calendar } from '../publishing/calendar/calendar.contract.js';
import { contentTypes } from '../content/content-types/content-types.contract.js';
import { customFieldTypes } from '../content/custom-field-types/custom-field-types.contract.js';
import { customReports } from '../insight/custom-reports/custom-reports.contract.js';
import { entries } from '../entries/entries/entries.contract.js';
import { environments } from '../environments/environments/environments.contract.js';
import { fields } from '../content/fields/fields.contract.js';
import { governance } from '../insight/governance/governance.contract.js';
import { ipAllowlist } from '../access/ip-allowlist/ip-allowlist.contract.js';
import { mediaFolders } from '../media/media-folders/media-folders.contract.js';
import { mediaUploads } from '../media/media-uploads/media-uploads.contract.js';
import { me } from '../access/me/me.contract.js';
import { notifications } from '../access/notifications/notifications.contract.js';
import { media } from '../media/media/media.contract.js';
import { imports } from '../editorial/imports/imports.contract.js';
import { promotions } from '../deployment/promotions/promotions.contract.js';
import { redirects } from '../routing/redirects/redirects.contract.js';
import { reports } from '../insight/reports/reports.contract.js';
import { search } from '../insight/search/search.contract.js';
import { sites } from '../routing/sites/sites.contract.js';
import { releases } from '../entries/releases/releases.contract.js';
import { tasks } from '../entries/tasks/tasks.contract.js';
import { translations } from '../editorial/translations/translations.contract.js';
import { tree } from '../routing/tree/tree.contract.js';
import { users } from '../access/users/users.contract.js';
import { views } from '../access/views/views.contract.js';
import { workflows } from '../content/workflows/workflows.contract.js';
import { locales, tenantLocales } from '../tenancy/locales/locales.contract.js';
import { projects } from '../tenancy/projects/projects.contract.js';
import { oauth } from '../access/oauth/oauth.contract.js';
import { personalKeys } from '../access/personal-keys/personal-keys.contract.js';
import { passkeys } from '../access/passkeys/passkeys.contract.js';
import { secondFactor } from '../access/second-factor/second-factor.contract.js';
import { sessions } from '../access/sessions/sessions.contract.js';
import { signOn } from '../tenancy/sign-on/sign-on.contract.js';
import { tenants } from '../tenancy/tenants/tenants.contract.js';

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
  releases,
  calendar,
  search,
  translations,
  tasks,
  promotions,
  imports,
  governance,
  audit,
  reports,
  customReports,
  locales,
  me,
  notifications,
  tenants,
  tenantLocales,
  signOn,
  projects,
  sessions,
  secondFactor,
  passkeys,
  personalKeys,
  oauth,
} as const;
