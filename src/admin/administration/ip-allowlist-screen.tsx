import { ipAllowlist } from '../../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import type { Outputs } from '../api/client.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { IpSettings } from './ip-settings.js';

type IpRule = Outputs['ipAllowlist']['get']['data'];

const resource = resourceOf<IpRule>({
  name: 'ipAllowlist',
  contracts: ipAllowlist,
  title: 'ip.title',
  createLabel: 'ip.create',
  nameOf: ({ cidr }) => cidr,
  columns: ['cidr', 'isActive', 'label', 'expiresAt', 'createdBy', 'createdAt'],
  form: { order: ['cidr', 'label', 'isActive', 'expiresAt'], start: { isActive: true } },
  facts: ['createdBy', 'createdAt', 'updatedAt'],
  actions: [deletion()],
});

export const IpAllowlistScreen = () => (
  <ResourceScreen resource={resource}>
    <IpSettings />
  </ResourceScreen>
);
