import { z } from 'zod';
import { limits } from '../../limits.js';
import { Id, Name, observed, Timestamp } from '../../primitives.js';

export const User = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    avatarUrl: z.string().nullable(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    status: z.enum(['active', 'invited', 'suspended']).meta({
      description: '`invited` until the first sign-in. Suspended users have no rights in the project.',
    }),
    invitation: observed(
      z
        .object({
          expiresAt: Timestamp,
          mail: z.enum(['pending', 'sent', 'failed']).nullable().meta({
            description: 'State of the mail with the link. Null if it was returned to the inviter.',
          }),
        })
        .nullable()
        .meta({
          description: 'The latest invitation of an invited member, unless it was revoked or replaced.',
        }),
    ),
    secondFactor: z.boolean().meta({ description: 'Whether logins of the user need a code.' }),
    lastActiveAt: observed(Timestamp.nullable()),
    createdAt: Timestamp,
  })
  .meta({ id: 'User', description: 'A member of the project.' });
export type User = z.infer<typeof User>;

export const InvitedUser = User.extend({
  invitationUrl: z.string().nullable().meta({
    description:
      'Link to accept the invitation, returned once. Null if it was sent by mail, if the user has accepted an invitation, if the caller is an API key, or if the user is a member of projects that the caller does not lead.',
  }),
}).meta({ id: 'InvitedUser', description: 'A member of the project with the link of the invitation.' });
export type InvitedUser = z.infer<typeof InvitedUser>;

/** Compared case-insensitively. */
export const Email = z
  .email()
  .max(320)
  .meta({ description: 'Email address of the user.', example: 'ada@example.com' });

const RoleIds = z
  .array(Id)
  .max(limits.rolesPerUser)
  .meta({ description: "Ids of the user's roles.", example: [] });

const newPassword = z.string().min(limits.passwordMinimumLength).max(limits.passwordMaximumLength);

const Password = newPassword.meta({
  description: 'Initial password. Rejected from API keys, which invite users without one.',
  example: 'correct horse battery staple',
});

export const NewPassword = newPassword.meta({
  description: 'New password.',
  example: 'correct horse battery staple',
});

/** Rule access/sessions. */
export const PasswordReset = z
  .object({
    resetToken: z.string().meta({ description: 'Sets a new password once.' }),
    url: z.string().meta({ description: 'Page of the admin app that takes the token.' }),
    mailedTo: z.string().nullable().meta({ description: 'Address to which the link is sent, if mails are.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'PasswordReset', description: 'A token that sets a new password.' });
export type PasswordReset = z.infer<typeof PasswordReset>;

const AvatarUrl = z
  .url({ protocol: /^https$/ })
  .max(limits.urlLength)
  .nullish()
  .meta({ description: 'URL of an avatar image.', example: 'https://example.com/ada.png' });

/** With a password the account is active at once, otherwise invited by a link. */
export const userInput = {
  email: Email,
  name: Name.optional(),
  roleIds: RoleIds.default([]),
  avatarUrl: AvatarUrl,
  password: Password.optional(),
};

export const userChange = {
  name: Name.optional(),
  avatarUrl: AvatarUrl,
  roleIds: RoleIds.optional(),
  status: z.enum(['active', 'suspended']).optional().meta({
    description: '`suspended` removes all rights in this project until the status is `active` again.',
  }),
  password: Password.optional(),
};
