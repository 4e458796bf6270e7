import { z } from 'zod';
import { listOf, PageMeta } from '../envelopes.js';
import { Description, InstantInput, Timestamp } from '../primitives.js';
import { Actor } from './actor.js';
import { Network } from './api-key.js';

/** Interfaces that an allowlist may guard (decisions 2.26). */
export const guardedInterfaces = ['management', 'mcp', 'graphql', 'delivery'] as const;
export type GuardedInterface = (typeof guardedInterfaces)[number];

/** What an enabled allowlist guards until somebody says otherwise. */
export const guardedByDefault: readonly GuardedInterface[] = ['management', 'mcp'];

/** Everything that decides whether an address may call: what every process keeps in memory of a project. */
export interface AddressRules {
  readonly isEnabled: boolean;
  readonly appliesTo: readonly GuardedInterface[];
  /** Active rules. */
  readonly networks: readonly { readonly cidr: string; readonly expiresAt: Date | null }[];
}

const Label = Description.max(200);
const IsActive = z.boolean().meta({ description: 'Whether the rule counts.' });

/** A network that may call. */
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
  .meta({ id: 'IpRule', description: 'A network from which the project may be called.' });
export type IpRule = z.infer<typeof IpRule>;

/** Whether the rules are applied, and to what. */
export const IpAllowlistSettings = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether only the listed networks may call.' }),
    appliesTo: z.array(z.enum(guardedInterfaces)).meta({ description: 'The interfaces that are guarded.' }),
  })
  .meta({ id: 'IpAllowlistSettings', description: 'What the allowlist guards.' });
export type IpAllowlistSettings = z.infer<typeof IpAllowlistSettings>;

/** One page of rules with the settings. */
export const IpRuleList = listOf(IpRule).extend({
  meta: PageMeta.extend({ settings: IpAllowlistSettings }).meta({
    id: 'IpRuleListMeta',
    description: 'Pagination, and the settings of the allowlist.',
  }),
});
export type IpRuleList = z.infer<typeof IpRuleList>;

/** Keys of a new rule. */
export const ipRuleInput = {
  cidr: Network,
  label: Label.nullish(),
  isActive: IsActive.optional(),
  expiresAt: InstantInput.nullish(),
};

/** What can be changed of a rule. */
export const ipRuleChange = { ...ipRuleInput, cidr: Network.optional() };

/** What can be changed of the settings. */
export const ipAllowlistChange = {
  enabled: z.boolean().optional().meta({ description: 'Whether only the listed networks may call.' }),
  appliesTo: z
    .array(z.enum(guardedInterfaces))
    .min(1)
    .max(guardedInterfaces.length)
    .optional()
    .meta({ description: 'The interfaces to guard.', example: ['management', 'mcp'] }),
};
