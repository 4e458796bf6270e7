import { isIP } from 'node:net';

/** Loaded by the first passkey, not at start. */
const library = () => import('@simplewebauthn/server');

/** The service as browsers know it: passkeys belong to its domain name. */
export interface RelyingParty {
  readonly id: string;
  readonly isOrigin: (origin: string) => boolean;
}

const LOCAL = 'localhost';
const isLoopback = (hostname: string): boolean => hostname.startsWith('127.') || hostname === '[::1]';

/**
 * On this machine, where browsers know no domain name but `localhost`, any port is the service.
 * @param baseUrl public URL of the service; empty if it is unknown
 * @returns undefined for an IP address, which has no passkeys
 */
export function relyingParty(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl === '' ? `http://${LOCAL}` : baseUrl);
  if (hostname === LOCAL || isLoopback(hostname))
    return { id: LOCAL, isOrigin: (given) => URL.parse(given)?.hostname === LOCAL };
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined;
  return { id: hostname, isOrigin: (given) => given === origin };
}

export interface KnownCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly transports: readonly string[];
}

const listed = (known: readonly Pick<KnownCredential, 'credentialId' | 'transports'>[]) =>
  known.map(({ credentialId: id, transports }) => ({ id, transports: [...transports] }));

interface NewPasskey {
  readonly serviceName: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly known: readonly Pick<KnownCredential, 'credentialId' | 'transports'>[];
}

/** Found by the authenticator without an account name, and only with the user verified. */
export const creationOptions = async ({ id }: RelyingParty, { serviceName, user, known }: NewPasskey) =>
  (await library()).generateRegistrationOptions({
    rpName: serviceName,
    rpID: id,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: listed(known),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/** @param known of one account; none: any passkey of the service */
export const requestOptions = async (
  { id }: RelyingParty,
  known: readonly Pick<KnownCredential, 'credentialId' | 'transports'>[],
) =>
  (await library()).generateAuthenticationOptions({
    rpID: id,
    userVerification: 'required',
    ...(known.length > 0 && { allowCredentials: listed(known) }),
  });

interface ClientData {
  readonly origin: string;
}

/** Undefined for what a page inside a page of another origin has asked for. */
function readClientData(encoded: string, { isOrigin }: RelyingParty): ClientData | undefined {
  try {
    const data = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as {
      origin?: unknown;
      crossOrigin?: unknown;
    } | null;
    const origin = data?.origin;
    if (typeof origin !== 'string' || data?.crossOrigin === true) return undefined;
    return isOrigin(origin) ? { origin } : undefined;
  } catch {
    return undefined;
  }
}

interface Created {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

export interface CreatedCredential {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly isSynced: boolean;
}

/** Undefined for a credential that is not one of this service for this challenge, with the user verified. */
export async function verifyCreated(
  party: RelyingParty,
  { id, clientDataJSON, attestationObject }: Created,
  challenge: string,
): Promise<CreatedCredential | undefined> {
  const data = readClientData(clientDataJSON, party);
  if (data === undefined) return undefined;
  try {
    const { registrationInfo } = await (
      await library()
    ).verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: data.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (registrationInfo?.credential.id !== id) return undefined;
    const { publicKey, counter } = registrationInfo.credential;
    const isSynced = registrationInfo.credentialBackedUp;
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter, isSynced };
  } catch {
    // The library throws for everything that does not fit.
    return undefined;
  }
}

interface Assertion {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** The counter of a valid signature. Whether it has grown is left to the caller, who knows that the signature is right. */
export async function verifyAssertion(
  party: RelyingParty,
  { id, ...response }: Assertion,
  { challenge, publicKey }: { readonly challenge: string; readonly publicKey: Buffer },
): Promise<{ readonly counter: number; readonly isSynced: boolean } | undefined> {
  const data = readClientData(response.clientDataJSON, party);
  if (data === undefined) return undefined;
  try {
    const { verified, authenticationInfo } = await (
      await library()
    ).verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: data.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp };
  } catch {
    return undefined;
  }
}
