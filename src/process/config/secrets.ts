import path from 'node:path';
import { deriveSecret, type Secrets } from '../../access/media-signature.js';
import { sealingKeyFrom } from '../../access/sealed-box.js';
import { previewSecretFrom } from '../../access/signed-token.js';
import type { TokenSettings } from '../../access/session-token.js';
import type { Config } from './config.js';
import { loadOrCreateSecret } from '../../infrastructure/secret-file.js';

/** Configured, or kept in the data directory. Undefined with a key set. */
export async function sessionSecretOf({ session, storage }: Config): Promise<string | undefined> {
  if (session.algorithm !== 'HS256') return undefined;
  return session.secret ?? loadOrCreateSecret(path.join(storage.directory, 'session-secret'));
}

export async function tokenSettings(config: Config): Promise<TokenSettings> {
  const { algorithm, issuer, audience, jwksUrl } = config.session;
  if (algorithm !== 'HS256') return { algorithm, issuer, audience, jwksUrl: jwksUrl ?? '' };
  return { algorithm, issuer, audience, secret: Buffer.from((await sessionSecretOf(config)) ?? '', 'utf8') };
}

/** Configured, or derived from a secret that the processes share. */
export async function previewSecrets(
  { previews: { secrets: given }, storage }: Config,
  tokens: TokenSettings,
): Promise<Secrets> {
  const [first, ...others] = given.map((secret) => Buffer.from(secret, 'utf8'));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [previewSecretFrom(tokens.secret)];
  const secret = await loadOrCreateSecret(path.join(storage.directory, 'preview-secret'));
  return [Buffer.from(secret, 'utf8')];
}

/** Configured, or derived from a secret that the processes share. */
export async function sealingKeys(
  { webhooks: { keys: given }, storage }: Config,
  tokens: TokenSettings,
): Promise<Secrets> {
  const [first, ...others] = given.map((key) => sealingKeyFrom(Buffer.from(key, 'utf8')));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [sealingKeyFrom(tokens.secret)];
  const kept = await loadOrCreateSecret(path.join(storage.directory, 'webhook-encryption-key'));
  return [sealingKeyFrom(Buffer.from(kept, 'utf8'))];
}

/** Configured, or derived from a secret that the processes share. */
export async function mediaUrlSecrets(
  { media: { secrets: given }, storage }: Config,
  tokens: TokenSettings,
): Promise<Secrets> {
  const [first, ...others] = given.map((secret) => Buffer.from(secret, 'utf8'));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [deriveSecret(tokens.secret, 'headwater media URLs')];
  const kept = await loadOrCreateSecret(path.join(storage.directory, 'media-url-secret'));
  return [Buffer.from(kept, 'utf8')];
}
