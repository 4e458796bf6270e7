import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { Id, inPath, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { InvitedUser, PasswordReset, User, userChange, userInput } from './user.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Users'];
const id = inPath('Id of the user.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const crud = crudOf({ path: '/users', key: 'id', resource: 'users', tags, notFound: 'user_not_found' });

export const users = {
  list: crud
    .list({
      summary: 'List users',
      description: 'Returns the members of the project with their roles, newest first by default.',
      errors: ['role_not_found'],
    })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'name'], 'createdAt:desc'),
        roleId: Id.optional().meta({ description: 'Filter by role.' }),
        q: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .meta({ description: 'Filter by a string in the name or email address.', example: 'ada' }),
      }),
    )
    .output(listOf(User)),

  create: crud
    .create({
      summary: 'Invite a user',
      description:
        'Adds a user of the tenant to the project and creates the account if necessary. Without a password, an account that has none is invited by a link, which is sent by mail if the installation has a mail server, otherwise returned. You cannot assign a role with permissions that you do not have. An API key that expires, is limited to networks or drafts, or requires confirmation can only invite users without permissions.',
      secrets: { input: { password: 'password' }, output: { 'data.invitationUrl': 'reset token' } },
      errors: ['role_not_found', 'email_conflict', 'privilege_escalation', 'limit_reached'],
    })
    .input(inProject(userInput))
    .output(dataOf(InvitedUser)),

  get: crud
    .get({
      summary: 'Get a user',
      description: 'Returns one member of the project.',
    })
    .input(inProject({ id }))
    .output(dataOf(User)),

  update: crud
    .update({
      summary: 'Update a user',
      description:
        'Updates the roles, name or picture of a member, or suspends them in this project. `roleIds` replaces all roles. A user can set the first password of an invited member; an API key cannot.',
      secrets: { input: { password: 'password' } },
      errors: ['role_not_found', 'privilege_escalation', 'last_owner'],
    })
    .input(inProject({ id, ...userChange }))
    .output(dataOf(User)),

  resetPassword: management({
    openapi: managementRoute('POST', '/users/{id}/password-reset', {
      summary: "Reset a user's password",
      description:
        'Returns a token that sets a new password once within one hour, and sends it by mail if the installation has a mail server. It replaces an earlier token; the current password stays valid until the token is used. Only owners and admins of every project of the user, and super-admins, can call this. API keys cannot.',
      tags,
    }),
    resource: 'users',
    action: 'update',
    sessionOnly: true,
    secrets: { output: { 'data.resetToken': 'reset token', 'data.url': 'reset token' } },
    errors: ['user_not_found', 'privilege_escalation'],
  })
    .input(inProject({ id }))
    .output(dataOf(PasswordReset)),

  resetSecondFactor: management({
    openapi: managementRoute('POST', '/users/{id}/second-factor-reset', {
      summary: "Reset a user's second factor",
      description:
        'Removes the second factor of a user who has lost it, with its recovery codes, and ends their sessions. Only owners and admins of every project of the user, and super-admins, can call this, not for themselves. API keys cannot.',
      tags,
    }),
    resource: 'users',
    action: 'update',
    sessionOnly: true,
    errors: ['user_not_found', 'privilege_escalation', 'second_factor_not_enabled'],
  })
    .input(inProject({ id }))
    .output(dataOf(User)),

  invite: management({
    openapi: managementRoute('POST', '/users/{id}/invitation', {
      summary: 'Invite a user again',
      description:
        'Sends a new link by mail, or returns it if the installation has no mail server. It works once within seven days and replaces an earlier link. A change of roles, removal and suspension end it. Without a mail server, you cannot invite a user with permissions that you do not have. API keys cannot call this.',
      tags,
    }),
    resource: 'users',
    action: 'update',
    sessionOnly: true,
    secrets: { output: { 'data.invitationUrl': 'reset token' } },
    errors: ['user_not_found', 'conflict', 'privilege_escalation'],
  })
    .input(inProject({ id }))
    .output(dataOf(InvitedUser)),

  revokeInvitation: management({
    openapi: managementRoute('DELETE', '/users/{id}/invitation', {
      summary: 'Revoke an invitation',
      description:
        'Ends the link of an invitation immediately. The user remains an invited member. Has no effect without an invitation.',
      tags,
    }),
    resource: 'users',
    action: 'update',
    confirmation: 'always',
    errors: ['user_not_found', 'privilege_escalation'],
  })
    .input(inProject({ id }))
    .output(dataOf(User)),

  remove: management({
    openapi: managementRoute('DELETE', '/users/{id}', {
      summary: 'Remove a user',
      description: 'Removes a member from the project immediately. The account and its content are kept.',
      tags,
    }),
    resource: 'users',
    action: 'delete',
    confirmation: 'always',
    errors: ['user_not_found', 'privilege_escalation', 'last_owner'],
  })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
