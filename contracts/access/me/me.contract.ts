import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id, inPath, nameContains, orderBy, paging, separatedByCommas } from '../../primitives.js';
import { account, management } from '../../procedure.js';
import {
  Avatar,
  AvatarContent,
  CallerRights,
  EnterableProject,
  Me,
  OwnConnection,
  OwnSession,
  profileChange,
} from './caller.js';
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
    beforeSecondFactor: true,
  })
    .input(z.strictObject({}))
    .output(dataOf(Me)),

  update: account({
    openapi: {
      method: 'PATCH',
      path: '/api/v1/me',
      summary: 'Update yourself',
      description:
        'Updates the name of the user and the language, time zone and theme in which they work; null clears one.',
      tags,
    },
    resource: 'sessions',
    action: 'update',
    errors: ['no_update_fields'],
  })
    .input(z.strictObject(profileChange))
    .output(dataOf(Me)),

  avatars: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me/avatars',
      summary: 'Get pictures of users',
      description:
        'Returns the pictures of the user and of other users of their tenant. Users without a picture, or of other tenants, are left out.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(
      z.strictObject({
        userIds: z
          .array(Id)
          .min(1)
          .max(limits.avatarsPerCall)
          .meta({
            description: `Ids of users.${separatedByCommas}`,
            example: ['019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'],
          }),
      }),
    )
    .output(dataOf(z.array(Avatar))),

  setAvatar: account({
    openapi: {
      method: 'PUT',
      path: '/api/v1/me/avatar',
      summary: 'Set your picture',
      description:
        'Replaces the picture of the user. It is cropped to a square of 128 pixels, encoded again and stored without metadata. Only users of the same tenant can read it.',
      tags,
    },
    resource: 'sessions',
    action: 'update',
    errors: ['unsupported_file_type', 'file_damaged'],
  })
    .input(z.strictObject({ content: AvatarContent }))
    .output(dataOf(Avatar)),

  removeAvatar: account({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/me/avatar',
      summary: 'Remove your picture',
      description: 'Deletes the picture of the user, if there is one.',
      tags,
    },
    resource: 'sessions',
    action: 'update',
  })
    .input(z.strictObject({}))
    .output(dataOf(Deleted)),

  sessions: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me/sessions',
      summary: 'List your sessions',
      description:
        'Returns the open sessions of the user, the last used first by default. Sessions of an identity provider are not known.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(z.strictObject({ ...paging, orderBy: orderBy(['createdAt', 'lastUsedAt'], 'lastUsedAt:desc') }))
    .output(listOf(OwnSession)),

  endSession: account({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/me/sessions/{id}',
      summary: 'End a session of yours',
      description: 'Ends one session of the user immediately and invalidates all its tokens.',
      tags,
    },
    resource: 'sessions',
    action: 'delete',
    errors: ['session_not_found'],
  })
    .input(z.strictObject({ id: inPath('Id of the session.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69') }))
    .output(dataOf(Deleted)),

  endOtherSessions: account({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/me/sessions',
      summary: 'End your other sessions',
      description: 'Ends all sessions of the user except the one that calls.',
      tags,
    },
    resource: 'sessions',
    action: 'delete',
  })
    .input(z.strictObject({}))
    .output(
      dataOf(
        z
          .object({ ended: z.int().meta({ description: 'Number of sessions that ended.' }) })
          .meta({ id: 'EndedSessions', description: 'The other sessions have ended.' }),
      ),
    ),

  connections: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me/connections',
      summary: 'List your connections',
      description:
        'Returns the OAuth clients that have active keys of the user, in all projects, the newest first by default.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(z.strictObject({ ...paging, orderBy: orderBy(['createdAt', 'lastUsedAt'], 'createdAt:desc') }))
    .output(listOf(OwnConnection)),

  endConnection: account({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/me/connections/{id}',
      summary: 'End a connection of yours',
      description:
        'Revokes all keys of the user that the client has, immediately and in all projects, and ends their streams. The client must ask the user again.',
      tags,
    },
    resource: 'sessions',
    action: 'delete',
    errors: ['connection_not_found'],
  })
    .input(z.strictObject({ id: inPath('Id of the client.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69') }))
    .output(dataOf(Deleted)),

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
