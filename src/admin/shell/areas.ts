import {
  Building,
  CalendarDays,
  ChartColumn,
  ChartPie,
  CornerDownRight,
  FileCode,
  GitCompare,
  Globe,
  Images,
  KeyRound,
  Languages,
  Layers,
  ListChecks,
  ListTree,
  Network,
  PackageCheck,
  Puzzle,
  ScrollText,
  Shapes,
  ShieldAlert,
  UserCog,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { OperationName } from '../../../contracts/index.js';
import type { TextKey } from '../texts/index.js';

interface AreaLink {
  /** Below the address of the project, such as `redirects`. */
  readonly to: string;
  readonly label: TextKey;
  readonly icon: LucideIcon;
  /** The link is shown to those who may call one of these operations; to everyone when absent. */
  readonly needs?: readonly OperationName[];
}

interface Area {
  readonly title: TextKey;
  readonly links: readonly AreaLink[];
  /** Whether the navigation shows the links before the user has opened or closed the group. */
  readonly isOpen?: boolean;
}

const structure: Area = {
  title: 'area.structure',
  links: [
    { to: 'tree', icon: ListTree, label: 'tree.title' },
    {
      to: 'content-types',
      icon: Shapes,
      label: 'types.title',
      needs: ['contentTypes.create', 'contentTypes.update'],
    },
    {
      to: 'schema',
      icon: FileCode,
      label: 'schema.title',
      needs: ['contentTypes.create', 'contentTypes.update'],
    },
    {
      to: 'redirects',
      icon: CornerDownRight,
      label: 'redirects.title',
      needs: ['redirects.create', 'redirects.update'],
    },
    { to: 'sites', icon: Globe, label: 'sites.title', needs: ['sites.create', 'sites.update'] },
    {
      to: 'workflows',
      icon: Workflow,
      label: 'workflows.title',
      needs: ['workflows.create', 'workflows.update'],
    },
    {
      to: 'custom-field-types',
      icon: Puzzle,
      label: 'customFieldTypes.title',
      needs: ['customFieldTypes.create'],
    },
  ],
};

const media: Area = {
  title: 'area.media',
  isOpen: true,
  links: [{ to: 'media', icon: Images, label: 'media.library' }],
};

const planning: Area = {
  title: 'area.planning',
  isOpen: true,
  links: [
    { to: 'calendar', icon: CalendarDays, label: 'calendar.title' },
    { to: 'releases', icon: PackageCheck, label: 'releases.title', needs: ['releases.list'] },
    { to: 'translations', icon: Languages, label: 'board.title' },
    { to: 'tasks', icon: ListChecks, label: 'tasks.title' },
  ],
};

const insight: Area = {
  title: 'area.insight',
  isOpen: true,
  links: [
    {
      to: 'reports/publishing-activity',
      icon: ChartColumn,
      label: 'report.title',
      needs: ['reports.publishingActivity'],
    },
    { to: 'custom-reports', icon: ChartPie, label: 'custom.title', needs: ['customReports.list'] },
    { to: 'governance', icon: ShieldAlert, label: 'governance.title', needs: ['governance.listIssues'] },
    { to: 'audit', icon: ScrollText, label: 'audit.title', needs: ['audit.listEvents'] },
  ],
};

const administration: Area = {
  title: 'area.administration',
  links: [
    { to: 'users', icon: Users, label: 'users.title', needs: ['users.create', 'users.update'] },
    { to: 'roles', icon: UserCog, label: 'roles.title', needs: ['roles.create', 'users.create'] },
    { to: 'api-keys', icon: KeyRound, label: 'apiKeys.title', needs: ['apiKeys.create', 'apiKeys.update'] },
    { to: 'webhooks', icon: Webhook, label: 'webhooks.title', needs: ['webhooks.create', 'webhooks.update'] },
    {
      to: 'ip-allowlist',
      icon: Network,
      label: 'ip.title',
      needs: ['ipAllowlist.create', 'ipAllowlist.update'],
    },
    {
      to: 'environments',
      icon: Layers,
      label: 'environments.title',
      needs: ['environments.create', 'environments.update', 'promotions.promote'],
    },
    { to: 'promote', icon: GitCompare, label: 'promote.title', needs: ['promotions.promote'] },
    { to: 'tenants', icon: Building, label: 'tenants.title', needs: ['tenants.create'] },
  ],
};

/** What the navigation shows beside the content. */
export const areas: readonly Area[] = [media, planning, structure, insight, administration];
