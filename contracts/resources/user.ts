import { z } from 'zod';
import { limits } from '../limits.js';
import { Id, Name, Timestamp } from '../primitives.js';

/** A member of a project. */
export const User = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    avatarUrl: z.string().nullable(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    status: z
      .enum(['active', 'invited', 'suspended'])
      .meta({ description: 'Invited until the first sign-in; suspended users may do nothing here.' }),
    lastActiveAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'User', description: 'A member of the project.' });
export type User = z.infer<typeof User>;

/** E-mail address of a user; compared without regard to case. */
export const Email = z
  .email()
  .max(320)
  .meta({ description: 'E-mail address of the user.', example: 'ada@example.com' });

const RoleIds = z
  .array(Id)
  .max(limits.rolesPerUser)
  .meta({ description: 'Ids of the roles that the user has.', example: [] });

const Password = z
  .string()
  .min(limits.passwordMinimumLength)
  .max(limits.passwordMaximumLength)
  .meta({ description: 'The first password.', example: 'correct horse battery staple' });

const AvatarUrl = z
  .url({ protocol: /^https$/ })
  .max(limits.urlLength)
  .nullish()
  .meta({ description: 'Address of a picture.', example: 'https://example.com/ada.png' });

/** Keys of a new member. With a password the account is active at once, else invited. */
export const userInput = {
  email: Email,
  name: Name.optional(),
  roleIds: RoleIds.default([]),
  avatarUrl: AvatarUrl,
  password: Password.optional(),
};

/** Keys of a change of a member. */
export const userChange = {
  name: Name.optional(),
  avatarUrl: AvatarUrl,
  roleIds: RoleIds.optional(),
  status: z
    .enum(['active', 'suspended'])
    .optional()
    .meta({ description: '`suspended` takes every right in this project away until it is `active` again.' }),
  password: Password.optional(),
};
