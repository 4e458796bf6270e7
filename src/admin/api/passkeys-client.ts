import {
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ownTexts } from '../texts/index.js';
import { client } from './client.js';
import { failureOf } from './failure.js';
import type { StoredSession } from './session-store.js';
import { keepAnswer, keepProviderLogout, openClient } from './sessions-client.js';

const problem = ownTexts({
  en: {
    dismissed: 'The browser got no passkey. Try again.',
    known: 'This device has a passkey of your account already.',
    address: 'Passkeys do not work at this address. Open the app at its public address.',
    failed: 'The browser cannot use this passkey.',
    unknown: 'This passkey belongs to no account any more.',
    expired: 'That took too long. Try again.',
    counter:
      'The passkey seems to have been copied, and was refused. Remove it in your account, and add a new one.',
  },
  de: {
    dismissed: 'Der Browser hat keinen Passkey erhalten. Versuchen Sie es noch einmal.',
    known: 'Dieses Gerät hat schon einen Passkey Ihres Kontos.',
    address:
      'Passkeys gelten unter dieser Adresse nicht. Öffnen Sie die App unter ihrer öffentlichen Adresse.',
    failed: 'Der Browser kann diesen Passkey nicht verwenden.',
    unknown: 'Dieser Passkey gehört zu keinem Konto mehr.',
    expired: 'Das dauerte zu lange. Versuchen Sie es noch einmal.',
    counter:
      'Der Passkey wurde offenbar kopiert und deshalb abgelehnt. Entfernen Sie ihn in Ihrem Konto, und fügen Sie einen neuen hinzu.',
  },
});

function problemOf(error: unknown): string {
  const { name, code } = error instanceof WebAuthnError ? error : { name: '', code: '' };
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return problem('known');
  if (name === 'SecurityError') return problem('address');
  if (name === 'NotAllowedError' || name === 'AbortError') return problem('dismissed');
  return problem('failed');
}

/** What the authenticator made, or why there is nothing. */
const asked = <Credential>(ceremony: Promise<Credential>): Promise<Credential | string> =>
  ceremony.catch(problemOf);

interface NewPasskey {
  readonly name: string;
  readonly currentPassword: string | undefined;
}

/** @returns recovery codes of the first second factor, else undefined; a text that says why there is no passkey */
export async function addPasskey({
  name,
  currentPassword,
}: NewPasskey): Promise<readonly string[] | string | undefined> {
  const { token, options } = (await client.passkeys.start.mutate({ currentPassword })).data;
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const created = await asked(startRegistration({ optionsJSON }));
  if (typeof created === 'string') return created;
  const { clientDataJSON, attestationObject, transports } = created.response;
  const credential = { id: created.id, clientDataJSON, attestationObject, transports: transports ?? [] };
  return (await client.passkeys.create.mutate({ name, token, credential })).data.recoveryCodes ?? undefined;
}

/**
 * @param challenge of a login whose password is right
 * @returns a text that says why there is no passkey
 * @throws what the service refuses the passkey with
 */
export async function logInWithPasskey(challenge?: string): Promise<StoredSession | string> {
  const { token, options } = (await openClient.sessions.startPasskey.mutate({ challenge })).data;
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const signed = await asked(startAuthentication({ optionsJSON }));
  if (typeof signed === 'string') return signed;
  const { clientDataJSON, authenticatorData, signature, userHandle } = signed.response;
  const credential = { id: signed.id, clientDataJSON, authenticatorData, signature, userHandle };
  try {
    const { data } = await openClient.sessions.loginWithPasskey.mutate({ token, credential });
    if (challenge === undefined) keepProviderLogout(null);
    return keepAnswer(data);
  } catch (error) {
    const { reason } = failureOf(error).details;
    if (reason === 'unknown' || reason === 'expired' || reason === 'counter') return problem(reason);
    throw error;
  }
}
