import { z } from 'zod';
import { listOf, PageMeta } from '../../envelopes.js';
import { Description, InstantInput, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { Network } from '../api-keys/api-key.js';

/** Rule access/allowlist. */
export const guardedInterfaces = ['management', 'mcp', 'graphql', 'delivery'] as const;
export type GuardedInterface = (typeof guardedInterfaces)[number];

/** Default of `appliesTo`. */
export const guardedByDefault: readonly GuardedInterface[] = ['management', 'mcp'];

/** The allowlist of a project as cached in memory. */
export interface AddressRules {
  readonly isEnabled: boolean;
  readonly appliesTo: readonly GuardedInterface[];
  /** Active rules. */
  readonly networks: readonly { readonly cidr: string; readonly expiresAt: Date | null }[];
}

const Label = Description.max(200);
const IsActive = z.boolean().meta({ description: 'Whether the rule applies.' });

export const IpRule = z
  .object({
    id: z.string(),
    cidr: Network,
    label: Label.nullable(),
    isActive: IsActive,
    expiresAt: Timestamp.nullable(),
    createdBy: Actor,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'IpRule', description: 'A network allowed to call the project.' });
export type IpRule = z.infer<typeof IpRule>;

export const IpAllowlistSettings = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether only the listed networks are allowed.' }),
    appliesTo: z
      .array(z.enum(guardedInterfaces))
      .meta({ description: 'Interfaces the allowlist applies to.' }),
  })
  .meta({ id: 'IpAllowlistSettings', description: 'Settings of the allowlist.' });
export type IpAllowlistSettings = z.infer<typeof IpAllowlistSettings>;

export const IpRuleList = listOf(IpRule).extend({
  meta: PageMeta.extend({ settings: IpAllowlistSettings }).meta({
    id: 'IpRuleListMeta',
    description: 'Pagination and the settings of the allowlist.',
  }),
});
export type IpRuleList = z.infer<typeof IpRuleList>;

export const ipRuleInput = {
  cidr: Network,
  label: Label.nullish(),
  isActive: IsActive.optional(),
  expiresAt: InstantInput.nullish(),
};

export const ipRuleChange = { ...ipRuleInput, cidr: Network.optional() };

export const ipAllowlistChange = {
  enabled: z.boolean().optional().meta({ description: 'Whether only the listed networks are allowed.' }),
  appliesTo: z
    .array(z.enum(guardedInterfaces))
    .min(1)
    .max(guardedInterfaces.length)
    .optional()
    .meta({ description: 'Interfaces the allowlist applies to.', example: ['management', 'mcp'] }),
};
