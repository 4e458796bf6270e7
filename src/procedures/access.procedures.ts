import { apiKeys as apiKeysContracts } from '../../contracts/access/api-keys/api-keys.contract.js';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '../features/access/api-keys/api-keys.js';
import { assertProjectAccess } from './admission.js';
import { bind } from './bind.js';
import { mutation, query, report } from './run.js';
import { ipAllowlist as ipAllowlistContracts } from '../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import {
  createIpRule,
  deleteIpRule,
  getIpRule,
  listIpRules,
  updateIpAllowlist,
  updateIpRule,
} from '../features/access/ip-allowlist/ip-allowlist.js';
import { me as meContracts } from '../../contracts/access/me/me.contract.js';
import { AppError } from '../../contracts/errors.js';
import {
  endMyOtherSessions,
  endMySession,
  getMe,
  listMyProjects,
  listAvatars,
  listMySessions,
  myRights,
  prepareAvatar,
  removeMyAvatar,
  setMyAvatar,
  updateMe,
  type IdentifiedCall,
} from '../features/access/me/me.js';
import type { OperationScope } from './call.js';
import { notifications as notificationsContracts } from '../../contracts/access/notifications/notifications.contract.js';
import {
  getNotificationSettings,
  listNotifications,
  markNotificationsRead,
  updateNotificationSettings,
  type NotificationReader,
} from '../features/access/notifications/notifications.js';
import { roles as rolesContracts } from '../../contracts/access/roles/roles.contract.js';
import { createGrant, deleteGrant, listGrants } from '../features/access/roles/grants.js';
import { createRole, deleteRole, getRole, listRoles, updateRole } from '../features/access/roles/roles.js';
import { sessions as sessionsContracts } from '../../contracts/access/sessions/sessions.contract.js';
import {
  changePassword,
  resetPassword,
  login,
  type LoginServices,
  logout,
  refreshSession,
} from '../features/access/sessions/sessions.js';
import { secondFactor as secondFactorContracts } from '../../contracts/access/second-factor/second-factor.contract.js';
import {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  getSecondFactor,
  loginWithCode,
  renewRecoveryCodes,
  type CodeLoginServices,
} from '../features/access/sessions/second-factor.js';
import { passkeys as passkeysContracts } from '../../contracts/access/passkeys/passkeys.contract.js';
import {
  createPasskey,
  listPasskeys,
  loginWithPasskey,
  removePasskey,
  startPasskey,
  startPasskeyLogin,
  type PasskeyLoginServices,
  type PasskeyServices,
} from '../features/access/sessions/passkeys.js';
import { oauth as oauthContracts } from '../../contracts/access/oauth/oauth.contract.js';
import { consent, endMyConnection, listMyConnections, readRequest } from '../features/access/oauth/oauth.js';
import { consentServices } from './authorization-server.js';
import { personalKeys as personalKeysContracts } from '../../contracts/access/personal-keys/personal-keys.contract.js';
import {
  createMyKey,
  listMyKeys,
  listPersonalKeys,
  revokeMyKey,
  revokePersonalKey,
} from '../features/access/personal-keys/personal-keys.js';
import { loginAttempts, resetLoginAttempts } from './rate.js';
import { projectScope } from './scopes.js';
import type { Services } from './services.js';
import { forgotPassword, readAccountLink } from '../features/access/sessions/account-links.js';
import { inviteAgain, revokeInvitation } from '../features/access/users/invitations.js';
import { users as usersContracts } from '../../contracts/access/users/users.contract.js';
import {
  createUser,
  getUser,
  listUsers,
  resetSecondFactor,
  resetUserPassword,
  removeUser,
  updateUser,
} from '../features/access/users/users.js';

export const apiKeys = bind(apiKeysContracts, {
  list: query(listApiKeys),
  create: mutation(createApiKey, { lock: 'schema' }),
  get: query(getApiKey),
  update: mutation(updateApiKey, { lock: 'schema' }),
  rotate: mutation(rotateApiKey, { lock: 'schema' }),
  revoke: mutation(revokeApiKey, { lock: 'schema' }),
});

export const ipAllowlist = bind(ipAllowlistContracts, {
  list: query(listIpRules),
  create: mutation(createIpRule, { lock: 'schema' }),
  set: mutation(updateIpAllowlist, { lock: 'schema' }),
  get: query(getIpRule),
  update: mutation(updateIpRule, { lock: 'schema' }),
  delete: mutation(deleteIpRule, { lock: 'schema' }),
});

function identifiedCall({ principal, catalog, call }: OperationScope): IdentifiedCall {
  if (catalog === null) throw new AppError('project_not_found');
  return { principal, catalog, surface: call.surface };
}

export const me = bind(meContracts, {
  get: query(getMe),
  update: mutation(updateMe, { lock: 'none' }),
  avatars: query(listAvatars),
  setAvatar: mutation(setMyAvatar, {
    lock: 'none',
    with: ({ media }, { principalId }) => ({
      square: (picture: Buffer, options: { readonly side: number; readonly share: string }) =>
        media.receiver.square(picture, options),
      userId: principalId ?? '',
    }),
    prepare: prepareAvatar,
  }),
  removeAvatar: mutation(removeMyAvatar, { lock: 'none' }),
  sessions: query(listMySessions),
  endSession: mutation(endMySession, { lock: 'none' }),
  endOtherSessions: mutation(endMyOtherSessions, { lock: 'none' }),
  connections: query(listMyConnections),
  endConnection: mutation(endMyConnection, { lock: 'none' }),
  projects: query(listMyProjects),
  rights: query(myRights, { read: identifiedCall }),
});

/** Reads each project as a call to it would: with the present rights, and from the address of the caller. */
function notificationReader({ services, call, principalId }: OperationScope): NotificationReader {
  const operation = { audience: 'management', resource: 'entries', action: 'read' } as const;
  return {
    userId: principalId ?? '',
    units: services.units,
    scopeIn: async (projectSlug, environment) => {
      try {
        const request = { operation, projectSlug };
        const { principal, catalog } = await assertProjectAccess(services, { ...call, environment }, request);
        return catalog === null ? undefined : projectScope(call, principal, catalog);
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return undefined;
        throw error;
      }
    },
  };
}

export const notifications = bind(notificationsContracts, {
  list: query(listNotifications, { read: notificationReader }),
  markRead: report(markNotificationsRead, { with: () => undefined, writes: true }),
  getSettings: query(getNotificationSettings),
  updateSettings: mutation(updateNotificationSettings, { lock: 'none' }),
});

export const roles = bind(rolesContracts, {
  list: query(listRoles),
  create: mutation(createRole, { lock: 'schema' }),
  get: query(getRole),
  update: mutation(updateRole, { lock: 'schema' }),
  delete: mutation(deleteRole, { lock: 'schema' }),
  listGrants: query(listGrants),
  createGrant: mutation(createGrant, { lock: 'schema' }),
  deleteGrant: mutation(deleteGrant, { lock: 'schema' }),
});

/** Guesses with the session of a user. */
const ownAttempts = ({ services, call, principalId }: OperationScope) =>
  loginAttempts(services.rates, call, principalId ?? '');

const secretBox = (services: Services) => services.webhooks.secretBox;
const withCode = { lock: 'none', with: secretBox, attempts: ownAttempts } as const;

export const secondFactor = bind(secondFactorContracts, {
  get: query(getSecondFactor),
  enroll: mutation(enrollSecondFactor, { lock: 'none', with: secretBox }),
  confirm: mutation(confirmSecondFactor, withCode),
  renewCodes: mutation(renewRecoveryCodes, withCode),
  disable: mutation(disableSecondFactor, withCode),
});

const ceremony = (services: Services): PasskeyServices => ({
  box: services.replies,
  baseUrl: services.publicBaseUrl ?? services.baseUrl,
});

export const passkeys = bind(passkeysContracts, {
  list: query(listPasskeys),
  start: mutation(startPasskey, { lock: 'none', with: ceremony, attempts: ownAttempts }),
  create: mutation(createPasskey, { lock: 'none', with: ceremony }),
  remove: mutation(removePasskey, { lock: 'none', attempts: ownAttempts }),
});

export const personalKeys = bind(personalKeysContracts, {
  list: query(listMyKeys),
  create: mutation(createMyKey, { lock: 'none', attempts: ownAttempts }),
  revoke: mutation(revokeMyKey, { lock: 'none' }),
  listOfProject: query(listPersonalKeys),
  revokeOfProject: mutation(revokePersonalKey, { lock: 'none' }),
});

export const oauth = bind(oauthContracts, {
  request: query(readRequest),
  consent: mutation(consent, { inParts: true, with: consentServices }),
});

/** One count, whether or not a login names the tenant. */
const accountOf = ({ email }: { email: string }): string => email;

const tokens = (services: Services) => services.tokens;

export const sessions = bind(sessionsContracts, {
  login: mutation(login, {
    lock: 'none',
    with: (services): LoginServices => ({
      tokens: services.tokens,
      resetFailures: (input) => resetLoginAttempts(services.rates, accountOf(input)),
    }),
    attempts: ({ services, call }, input) => ({
      start: () => loginAttempts(services.rates, call, accountOf(input)).start(),
      // The use case decides whether a success clears the failures.
      succeed: () => Promise.resolve(),
    }),
  }),
  loginWithCode: mutation(loginWithCode, {
    lock: 'none',
    with: (services, { call }): CodeLoginServices => ({
      tokens: services.tokens,
      box: services.webhooks.secretBox,
      countAttempt: (user) => loginAttempts(services.rates, call, accountOf(user)).start(),
      resetFailures: (user) => resetLoginAttempts(services.rates, accountOf(user)),
    }),
  }),
  startPasskey: report(startPasskeyLogin, { with: ceremony }),
  loginWithPasskey: mutation(loginWithPasskey, {
    lock: 'none',
    with: (services): PasskeyLoginServices => ({
      ...ceremony(services),
      tokens: services.tokens,
      resetFailures: (user) => resetLoginAttempts(services.rates, accountOf(user)),
    }),
  }),
  refresh: mutation(refreshSession, { lock: 'none', with: tokens }),
  logout: mutation(logout),
  changePassword: mutation(changePassword, {
    lock: 'none',
    attempts: ownAttempts,
  }),
  forgotPassword: mutation(forgotPassword, {
    lock: 'none',
    attempts: ({ services, call }, input) => ({
      // Not the count of logins: who guessed wrong five times may ask for a new password.
      start: () => loginAttempts(services.rates, call, `forgotten ${accountOf(input)}`).start(),
      succeed: () => Promise.resolve(),
    }),
  }),
  readLink: report(readAccountLink),
  resetPassword: mutation(resetPassword, { lock: 'none' }),
});

const mail = (services: Services) => services.mail;

export const users = bind(usersContracts, {
  list: query(listUsers),
  create: mutation(createUser, { lock: 'schema', with: mail }),
  get: query(getUser),
  update: mutation(updateUser, { lock: 'schema' }),
  resetPassword: mutation(resetUserPassword, { lock: 'schema', with: mail }),
  resetSecondFactor: mutation(resetSecondFactor, { lock: 'none' }),
  invite: mutation(inviteAgain, { lock: 'schema', with: mail }),
  revokeInvitation: mutation(revokeInvitation, { lock: 'schema' }),
  remove: mutation(removeUser, { lock: 'schema' }),
});
