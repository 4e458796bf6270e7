import { crudOf } from '../../crud.js';
import { dataOf, Deleted } from '../../envelopes.js';
import { inPath, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  ipAllowlistChange,
  IpAllowlistSettings,
  IpRule,
  ipRuleChange,
  ipRuleInput,
  IpRuleList,
} from './ip-allowlist.js';
import { inProject, managementRoute } from '../../routes.js';

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
