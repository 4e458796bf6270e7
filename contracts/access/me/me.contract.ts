import { dataOf, listOf } from '../../envelopes.js';
import { nameContains, orderBy, paging } from '../../primitives.js';
import { account, management } from '../../procedure.js';
import { CallerRights, EnterableProject, Me } from './caller.js';
import { inProject, managementRoute } from '../../routes.js';
import { z } from 'zod';

const tags = ['Caller'];

export const me = {
  get: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me',
      summary: 'Get yourself',
      description: 'Returns the user of the session and their tenant.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(z.strictObject({}))
    .output(dataOf(Me)),

  projects: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me/projects',
      summary: 'List your projects',
      description:
        'Returns the projects that the user of the session may enter, with their environments: those where they have a role and are not suspended, for super-admins all. Projects of deactivated tenants are not listed.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(z.strictObject({ ...paging, orderBy: orderBy(['name', 'slug'], 'name:asc'), q: nameContains }))
    .output(listOf(EnterableProject)),

  rights: management({
    openapi: managementRoute('GET', '/me', {
      summary: 'Get your rights',
      description:
        'Returns the operations that the caller, a user or an API key, may call in the environment of the call, with the limits of their grants.',
      tags,
    }),
    resource: 'users',
    action: 'read',
    aboutCaller: true,
  })
    .input(inProject({}))
    .output(dataOf(CallerRights)),
};
