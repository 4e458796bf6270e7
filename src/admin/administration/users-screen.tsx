import { Avatar } from '../account/avatar.js';
import { users } from '../../../contracts/access/users/users.contract.js';
import type { Outputs } from '../api/client.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { optionLabel } from '../resources/labels.js';
import { formatTime, t } from '../texts/index.js';
import { RoleChecks } from './role-checks.js';

type User = Outputs['users']['get']['data'];

/** What an invited user waits for. */
function invitationText({ status, invitation }: User): string | undefined {
  if (status !== 'invited') return undefined;
  if (invitation === null) return t('users.notInvited');
  if (invitation.mail === 'failed') return t('users.mailFailed');
  const time = formatTime(invitation.expiresAt);
  if (Date.parse(invitation.expiresAt) <= Date.now()) return t('users.linkExpired', { time });
  return t(invitation.mail === 'pending' ? 'users.mailPending' : 'users.linkUntil', { time });
}

function Status({ user }: { readonly user: User }) {
  const text = invitationText(user);
  return (
    <>
      <span className={`badge ${user.status}`}>{optionLabel('status', user.status)}</span>
      {text !== undefined && <span className="soft small"> {text}</span>}
    </>
  );
}

const resource = resourceOf<User>({
  name: 'users',
  contracts: users,
  title: 'users.title',
  createLabel: 'users.create',
  nameOf: ({ name, email }) => name || email,
  columns: ['name', 'status', 'email', 'roles', 'secondFactor', 'lastActiveAt'],
  cells: {
    name: ({ id, name, email }) => (
      <>
        <Avatar name={name || email} userId={id} /> {name || email}
      </>
    ),
    status: (user) => <Status user={user} />,
  },
  facts: ['email', 'status', 'secondFactor', 'lastActiveAt', 'createdAt'],
  form: {
    order: ['email', 'name', 'roleIds', 'status', 'password', 'avatarUrl'],
    editors: { roleIds: RoleChecks },
  },
  // An invited user becomes active by logging in.
  valuesOf: ({ name, avatarUrl, roles, status }) => ({
    name,
    avatarUrl,
    roleIds: roles.map(({ id }) => id),
    status: status === 'invited' ? undefined : status,
  }),
  created: ({ email, invitation }) =>
    invitation === null || (invitation as User['invitation'])?.mail === null
      ? t('resource.saved')
      : t('users.mailedTo', { email: String(email) }),
  actions: [
    {
      verb: 'invite',
      label: 'users.invite',
      question: 'users.inviteQuestion',
      done: ({ invitationUrl }) => (invitationUrl === null ? 'users.mailed' : 'users.linkMade'),
      isOffered: ({ status }) => status === 'invited',
    },
    {
      verb: 'revokeInvitation',
      label: 'users.revokeInvitation',
      question: 'users.revokeQuestion',
      done: 'users.revoked',
      isDangerous: true,
      isOffered: ({ invitation }) => invitation !== null,
    },
    {
      verb: 'resetPassword',
      label: 'users.reset',
      question: 'users.resetQuestion',
      done: ({ mailedTo }) => (mailedTo === null ? 'users.linkMade' : 'users.mailed'),
      shows: ({ mailedTo }) => (mailedTo === null ? ['url'] : []),
      isOffered: ({ status }) => status === 'active',
    },
    {
      verb: 'resetSecondFactor',
      label: 'users.resetFactor',
      question: 'users.resetFactorQuestion',
      done: 'users.resetFactorDone',
      isDangerous: true,
      isOffered: ({ secondFactor }) => secondFactor,
    },
    deletion({
      verb: 'remove',
      label: 'users.remove',
      question: 'users.removeQuestion',
      done: 'users.removed',
    }),
  ],
  // The number of members of a role.
  refreshes: [[['roles']]],
});

export const UsersScreen = () => <ResourceScreen resource={resource} />;
