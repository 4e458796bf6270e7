import { useRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { OperationName } from '../../../contracts/index.js';
import { useProject } from '../api/project-data.js';
import type { TextKey } from '../texts/index.js';

interface Area {
  readonly name: string;
  readonly title: TextKey;
  /** Whether the navigation shows the links before the user has opened or closed the group. */
  readonly isOpen?: boolean;
}

/** What the navigation shows beside the content. */
const areas = [
  { name: 'media', title: 'area.media', isOpen: true },
  { name: 'planning', title: 'area.planning', isOpen: true },
  { name: 'structure', title: 'area.structure' },
  { name: 'insight', title: 'area.insight', isOpen: true },
  { name: 'administration', title: 'area.administration' },
] as const satisfies readonly Area[];

/** Of the route of a screen that the navigation and the palette name. */
interface ScreenLink {
  readonly area: (typeof areas)[number]['name'];
  readonly icon: LucideIcon;
  readonly label: TextKey;
  /** The link is shown to those who may call one of these operations; to everyone when absent. */
  readonly needs?: readonly OperationName[];
  /** Below the address of the project; the path of the route when absent. */
  readonly to?: string;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly link?: ScreenLink;
  }
}

export interface AreaLink extends ScreenLink {
  readonly to: string;
}

interface LinkedRoute {
  readonly path?: string;
  readonly options: { readonly staticData?: { readonly link?: ScreenLink } };
}

/** Areas with the links that the user may open, in the order of the routes. */
export function useAreas(): readonly (Area & { readonly links: readonly AreaLink[] })[] {
  const { may } = useProject();
  const routes = Object.values<LinkedRoute>(useRouter().routesById);
  const links = routes.flatMap(({ path = '', options: { staticData } }): AreaLink[] =>
    staticData?.link === undefined ? [] : [{ to: path.replace(/^\//, ''), ...staticData.link }],
  );
  const shown = links.filter(({ needs }) => needs === undefined || needs.some((one) => may(one)));
  return areas.map((area) => ({ ...area, links: shown.filter((link) => link.area === area.name) }));
}
