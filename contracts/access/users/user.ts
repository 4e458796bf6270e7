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
    lastActiveAt: observed(Timestamp.nullable()),
    createdAt: Timestamp,
  })
  .meta({ id: 'User', description: 'A member of the project.' });
export type User = z.infer<typeof User>;

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
    expiresAt: Timestamp,
  })
  .meta({ id: 'PasswordReset', description: 'A token that sets a new password.' });
export type PasswordReset = z.infer<typeof PasswordReset>;

const AvatarUrl = z
  .url({ protocol: /^https$/ })
  .max(limits.urlLength)
  .nullish()
  .meta({ description: 'URL of an avatar image.', example: 'https://example.com/ada.png' });

/** With a password the account is active at once, otherwise invited. */
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
