import type { OperationName } from '../../../contracts/index.js';
import type { TextKey } from '../texts/index.js';

interface AreaLink {
  /** Below the address of the project, such as `redirects`. */
  readonly to: string;
  readonly label: TextKey;
  /** The link is shown to those who may call one of these operations; to everyone when absent. */
  readonly needs?: readonly OperationName[];
}

interface Area {
  readonly title: TextKey;
  readonly links: readonly AreaLink[];
}

const structure: Area = {
  title: 'area.structure',
  links: [
    { to: 'tree', label: 'tree.title' },
    { to: 'content-types', label: 'types.title', needs: ['contentTypes.create', 'contentTypes.update'] },
    { to: 'schema', label: 'schema.title', needs: ['contentTypes.create', 'contentTypes.update'] },
    { to: 'redirects', label: 'redirects.title', needs: ['redirects.create', 'redirects.update'] },
    { to: 'sites', label: 'sites.title', needs: ['sites.create', 'sites.update'] },
    { to: 'workflows', label: 'workflows.title', needs: ['workflows.create', 'workflows.update'] },
    { to: 'custom-field-types', label: 'customFieldTypes.title', needs: ['customFieldTypes.create'] },
  ],
};

const media: Area = { title: 'area.media', links: [{ to: 'media', label: 'media.library' }] };

const planning: Area = {
  title: 'area.planning',
  links: [
    { to: 'calendar', label: 'calendar.title' },
    { to: 'translations', label: 'board.title' },
    { to: 'tasks', label: 'tasks.title' },
  ],
};

const insight: Area = {
  title: 'area.insight',
  links: [
    { to: 'reports/publishing-activity', label: 'report.title', needs: ['reports.publishingActivity'] },
    { to: 'custom-reports', label: 'custom.title', needs: ['customReports.list'] },
    { to: 'governance', label: 'governance.title', needs: ['governance.listIssues'] },
    { to: 'audit', label: 'audit.title', needs: ['audit.listEvents'] },
  ],
};

const administration: Area = {
  title: 'area.administration',
  links: [
    { to: 'users', label: 'users.title', needs: ['users.create', 'users.update'] },
    { to: 'roles', label: 'roles.title', needs: ['roles.create', 'users.create'] },
    { to: 'api-keys', label: 'apiKeys.title', needs: ['apiKeys.create', 'apiKeys.update'] },
    { to: 'webhooks', label: 'webhooks.title', needs: ['webhooks.create', 'webhooks.update'] },
    { to: 'ip-allowlist', label: 'ip.title', needs: ['ipAllowlist.create', 'ipAllowlist.update'] },
    {
      to: 'environments',
      label: 'environments.title',
      needs: ['environments.create', 'environments.update', 'promotions.promote'],
    },
    { to: 'promote', label: 'promote.title', needs: ['promotions.promote'] },
    { to: 'tenants', label: 'tenants.title', needs: ['tenants.create'] },
  ],
};

/** What the navigation shows beside the content. */
export const areas: readonly Area[] = [structure, media, planning, insight, administration];
