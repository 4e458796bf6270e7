import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging, ScopeSlug } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Environment, environmentChange, environmentInput } from './environment.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Environments'];
const environmentSlug = inPath('Slug of the environment.', 'staging');
const pathAliases = { environmentSlug: 'slug' };

const crud = crudOf({
  path: '/environments',
  key: 'environmentSlug',
  resource: 'environments',
  tags,
  notFound: 'environment_not_found',
  pathAliases,
});

export const environments = {
  list: crud
    .list({
      summary: 'List environments',
      description: 'Returns the environments of the project, also those that are being created.',
      mcp: {
        tool: 'list_environments',
        toolset: 'structure',
        title: 'List environments',
        description: 'Lists environments; `isSelected` marks the one in use.',
        readOnly: true,
        listsAll: true,
        itemKeys: ['slug', 'name', 'status', 'isSelected'],
      },
    })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'createdAt:asc'),
        q: nameContains,
      }),
    )
    .output(listOf(Environment)),

  create: crud
    .create({
      summary: 'Create an environment',
      description:
        'Creates an environment, by default as a copy of the default one as it is at this moment. Items keep their ids; files are shared; schedules are not copied. A large copy continues after the response: the environment has the status `creating` until all of it can be used at once. API keys, roles, webhooks and sites belong to the project.',
      events: ['environment.created'],
      errors: ['environment_not_found', 'slug_conflict', 'reserved_slug', 'limit_reached'],
    })
    .input(inProject(environmentInput))
    .output(dataOf(Environment)),

  get: crud
    .get({
      summary: 'Get an environment',
      description: 'Returns one environment, with the progress of its job.',
    })
    .input(inProject({ environmentSlug }))
    .output(dataOf(Environment)),

  update: crud
    .update({
      summary: 'Update an environment',
      description:
        'Updates the given properties. Slugs never change. A key that unprotects a protected environment must confirm it.',
      confirmation: { key: 'isProtected', values: ['false'] },
      confirmsTarget: 'environmentSlug',
      errors: ['environment_not_ready'],
    })
    .input(inProject({ environmentSlug, ...environmentChange }))
    .output(dataOf(Environment)),

  delete: crud
    .delete({
      summary: 'Delete an environment',
      description:
        'Deletes an environment with all its content; waiting schedules are canceled. It cannot be used from then on. Keys bound to it are refused with 403 `environment_not_allowed`; selections of it end. The default environment and protected ones cannot be deleted.',
      confirmsTarget: 'environmentSlug',
      events: ['environment.deleted'],
      errors: ['environment_is_default', 'environment_is_protected', 'environment_not_ready'],
    })
    .input(inProject({ environmentSlug }))
    .output(dataOf(Deleted)),

  select: management({
    openapi: managementRoute('POST', '/environments/select', {
      summary: 'Select an environment',
      description:
        'Makes an environment the one that later management and MCP calls of the calling user or key use. The header `X-Environment` overrides it for one request. A key that is bound to an environment cannot select another.',
      tags,
    }),
    resource: 'environments',
    action: 'read',
    errors: ['environment_not_found', 'environment_not_allowed', 'environment_not_ready'],
  })
    .input(inProject({ slug: ScopeSlug }))
    .output(dataOf(Environment)),
};
