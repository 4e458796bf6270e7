import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf, PageMeta } from '../../envelopes.js';
import { inPath, orderBy, paging, Description, InstantInput, Timestamp } from '../../primitives.js';
import { management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';
import { z } from 'zod';
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

const ipRuleInput = {
  cidr: Network,
  label: Label.nullish(),
  isActive: IsActive.optional(),
  expiresAt: InstantInput.nullish(),
};

const ipRuleChange = { ...ipRuleInput, cidr: Network.optional() };

const ipAllowlistChange = {
  enabled: z.boolean().optional().meta({ description: 'Whether only the listed networks are allowed.' }),
  appliesTo: z
    .array(z.enum(guardedInterfaces))
    .min(1)
    .max(guardedInterfaces.length)
    .optional()
    .meta({ description: 'Interfaces the allowlist applies to.', example: ['management', 'mcp'] }),
};

const tags = ['IP allowlist'];
const resource = 'ipAllowlist';
const id = inPath('Id of the rule.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const crud = crudOf({ path: '/ip-allowlist', key: 'id', resource, tags, notFound: 'ip_rule_not_found' });

export const ipAllowlist = {
  list: crud
    .list({
      summary: 'List allowed networks',
      description:
        'Returns the rules of the allowlist. `meta.settings` contains its status and the interfaces it applies to.',
    })
    .input(inProject({ ...paging, orderBy: orderBy(['createdAt', 'updatedAt'], 'updatedAt:desc') }))
    .output(IpRuleList),

  create: crud
    .create({
      summary: 'Allow a network',
      description: 'Allows requests to the project from a network or a single address.',
      errors: ['limit_reached'],
    })
    .input(inProject(ipRuleInput))
    .output(dataOf(IpRule)),

  set: management({
    openapi: managementRoute('PUT', '/ip-allowlist', {
      summary: 'Set the IP allowlist',
      description:
        'Enables or disables the allowlist and selects the interfaces it applies to. A change that would block the address of the caller is rejected, except for super-admins.',
      tags,
    }),
    resource,
    action: 'update',
    confirmation: [{ key: 'enabled', values: ['false'] }, { given: ['appliesTo'] }],
    errors: ['ip_lockout', 'no_update_fields'],
  })
    .input(inProject(ipAllowlistChange))
    .output(dataOf(IpAllowlistSettings)),

  get: crud
    .get({
      summary: 'Get an IP rule',
      description: 'Returns one rule of the allowlist.',
    })
    .input(inProject({ id }))
    .output(dataOf(IpRule)),

  update: crud
    .update({
      summary: 'Update an allowed network',
      description: 'Updates the given properties; null clears one.',
      errors: ['ip_lockout'],
    })
    .input(inProject({ id, ...ipRuleChange }))
    .output(dataOf(IpRule)),

  delete: crud
    .delete({
      summary: 'Delete an allowed network',
      description: 'Deletes a rule. Requests from its network are rejected while the allowlist is enabled.',
      errors: ['ip_lockout'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
