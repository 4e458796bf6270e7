import { z } from 'zod';
import { dataOf, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id, inPath, Name, nameContains, orderBy, paging, ScopeSlug, Timestamp } from '../../primitives.js';
import { account, management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Personal keys'];
const path = '/api/v1/me/keys';
const id = inPath('Id of the key.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const listed = { ...paging, orderBy: orderBy(['createdAt', 'name'], 'createdAt:desc'), q: nameContains };

const PersonalKey = z
  .object({
    id: Id,
    name: z.string(),
    user: z.object({ id: Id, name: z.string() }).meta({ description: 'User as whom the key acts.' }),
    project: z
      .object({ id: Id, slug: ScopeSlug, name: z.string() })
      .meta({ description: 'Project in which the key works.' }),
    isReadOnly: z.boolean().meta({ description: 'Whether the key permits reading only.' }),
    lastFour: z.string().meta({ description: 'Last four characters of the secret.' }),
    status: z.enum(['active', 'expired', 'revoked']).meta({ description: 'Whether the key works.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    revokedAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable().meta({ description: 'Time of the last call, within five minutes.' }),
  })
  .meta({ id: 'PersonalKey', description: 'A key that acts as its user in one project.' });
export type PersonalKey = z.infer<typeof PersonalKey>;

const CreatedPersonalKey = PersonalKey.extend({ secret: z.string() }).meta({
  id: 'CreatedPersonalKey',
  description: 'A new personal key with its secret, which is returned only here.',
});

const RevokedPersonalKey = z
  .object({ id: z.string(), revokedAt: Timestamp })
  .meta({ id: 'RevokedPersonalKey', description: 'The revoked key.' });

/** Rule access/personal-keys. */
export const personalKeys = {
  list: account({
    openapi: {
      method: 'GET',
      path,
      summary: 'List your personal keys',
      description: 'Returns the personal keys of the user without their secrets, newest first by default.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(z.strictObject({ ...listed }))
    .output(listOf(PersonalKey)),

  create: account({
    openapi: {
      method: 'POST',
      path,
      summary: 'Create a personal key',
      description:
        'Creates a key that acts as the user in one project, with the rights that the user has at the time of each call. The secret is returned only here.',
      tags,
    },
    resource: 'sessions',
    action: 'create',
    secrets: { input: { currentPassword: 'password' }, output: { 'data.secret': 'API key' } },
    errors: ['invalid_credentials', 'project_not_found', 'limit_reached', 'permission_denied'],
  })
    .input(
      z.strictObject({
        name: Name,
        project: ScopeSlug.meta({
          description: 'Slug of a project that the user may enter.',
          example: 'docs',
        }),
        isReadOnly: z.boolean().default(false).meta({ description: 'Permit reading only.' }),
        expiresInDays: z
          .int()
          .min(1)
          .max(limits.personalKeyDays)
          .default(90)
          .meta({ description: 'Days until the key expires.', example: 90 }),
        currentPassword: z.string().min(1).max(limits.passwordMaximumLength).optional().meta({
          description: 'Required if the user has a password.',
          example: 'correct horse battery staple',
        }),
      }),
    )
    .output(dataOf(CreatedPersonalKey)),

  revoke: account({
    openapi: {
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Revoke a personal key of yours',
      description: 'Revokes the key immediately. Revoking it again has no effect.',
      tags,
    },
    resource: 'sessions',
    action: 'delete',
    errors: ['api_key_not_found'],
  })
    .input(z.strictObject({ id }))
    .output(dataOf(RevokedPersonalKey)),

  listOfProject: management({
    openapi: managementRoute('GET', '/personal-keys', {
      summary: 'List personal keys of the project',
      description: 'Returns the personal keys of all members without their secrets, newest first by default.',
      tags,
    }),
    resource: 'apiKeys',
    action: 'read',
  })
    .input(inProject({ ...listed }))
    .output(listOf(PersonalKey)),

  revokeOfProject: management({
    openapi: managementRoute('DELETE', '/personal-keys/{id}', {
      summary: 'Revoke a personal key of a member',
      description: 'Revokes the key of a member immediately. Revoking it again has no effect.',
      tags,
    }),
    resource: 'apiKeys',
    action: 'delete',
    confirmation: 'always',
    sessionOnly: true,
    errors: ['api_key_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(RevokedPersonalKey)),
};
