import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Response } from 'supertest';
import type { TestApp } from './app.js';
import { must, send } from './call.js';
import { memberPassword, type TestMember } from './members.js';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (data: Buffer): string => data.toString('base64url');

/** Bits of authenticator data. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const BACKUP = 0x18;
const CREDENTIAL = 0x40;

export interface Ceremony {
  readonly token: string;
  readonly options: { readonly challenge: string; readonly [key: string]: unknown };
}

interface Habits {
  /** Of the page that asks. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly isCrossOrigin?: boolean;
  /** Of the signature; 0 for an authenticator that does not count. */
  readonly counter?: number;
  readonly challenge?: string;
}

/** One passkey of an authenticator that is a program: ES256, without attestation. */
export class SoftPasskey {
  readonly #id = randomBytes(16);
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  get id(): string {
    return text(this.#id);
  }

  /** The input of a registration. */
  create({ options }: Ceremony, habits: Habits = {}) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = (part: string): Uint8Array => Uint8Array.from(Buffer.from(part, 'base64url'));
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const attested = Buffer.concat([
      ...[Buffer.alloc(16), length, this.#id],
      Buffer.from(isoCBOR.encode(cose as Parameters<typeof isoCBOR.encode>[0])),
    ]);
    const authData = Buffer.concat([this.#data(CREDENTIAL | BACKUP, { counter: 0, ...habits }), attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    return {
      id: this.id,
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, habits),
      attestationObject: text(
        Buffer.from(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
      ),
      transports: ['internal'],
    };
  }

  /** The input of a login. */
  sign({ options }: Ceremony, habits: Habits = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, habits);
    const authenticatorData = this.#data(0, habits);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      id: this.id,
      clientDataJSON,
      authenticatorData: text(authenticatorData),
      signature: text(sign('sha256', signed, this.#keys.privateKey)),
    };
  }

  #data(flags: number, { rpId = 'localhost', isVerified = true, counter = 0 }: Habits): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.of(PRESENT | flags | (isVerified ? VERIFIED : 0)), count]);
  }

  #clientData(type: string, asked: string, habits: Habits): string {
    const { origin = 'http://localhost', challenge = asked, isCrossOrigin: crossOrigin = false } = habits;
    return text(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })));
  }
}

const path = '/api/v1/me/passkeys';

export const startPasskey = (app: TestApp, { token: key }: Pick<TestMember, 'token'>): Promise<Ceremony> =>
  must<Ceremony>(app, {
    method: 'POST',
    path: `${path}/options`,
    key,
    body: { currentPassword: memberPassword },
  });

/** @param challenge of a login whose password is right */
export const startPasskeyLogin = (app: TestApp, challenge?: string): Promise<Ceremony> =>
  must<Ceremony>(app, { method: 'POST', path: '/api/v1/auth/passkey/options', body: { challenge } });

export const passkeyLogin = (
  app: TestApp,
  { token }: Ceremony,
  credential: ReturnType<SoftPasskey['sign']>,
): Promise<Response> =>
  send(app, { method: 'POST', path: '/api/v1/auth/passkey', body: { token, credential } });

/** A login with a passkey alone. */
export async function logInWith(
  app: TestApp,
  passkey: SoftPasskey,
  habits: Parameters<SoftPasskey['sign']>[1] = {},
): Promise<Response> {
  const ceremony = await startPasskeyLogin(app);
  return passkeyLogin(app, ceremony, passkey.sign(ceremony, habits));
}

export interface AddedPasskey {
  readonly id: string;
  readonly passkey: SoftPasskey;
  readonly recoveryCodes: readonly string[] | null;
}

export async function addPasskey(app: TestApp, member: TestMember, name = 'Laptop'): Promise<AddedPasskey> {
  const passkey = new SoftPasskey();
  const ceremony = await startPasskey(app, member);
  const { recoveryCodes, passkey: added } = await must<{
    passkey: { id: string };
    recoveryCodes: string[] | null;
  }>(app, {
    method: 'POST',
    path,
    key: member.token,
    body: {
      token: ceremony.token,
      name,
      credential: passkey.create(ceremony),
    },
  });
  return { id: added.id, passkey, recoveryCodes };
}
