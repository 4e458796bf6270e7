import path from 'node:path';
import type { Secrets } from '../../access/derived-secret.js';
import { sealingKeyFrom } from '../../access/sealed-box.js';
import { previewSecretFrom } from '../../access/preview-token.js';
import type { TokenSettings } from '../../access/session-token.js';
import type { Config } from './config.js';
import { loadOrCreateSecret } from '../../infrastructure/secret-file.js';

/** The secret that signs session tokens: the one that is set, else one kept in the data directory; none with a key set. */
export async function sessionSecretOf({ session, dataDirectory }: Config): Promise<string | undefined> {
  if (session.algorithm !== 'HS256') return undefined;
  return session.secret ?? loadOrCreateSecret(path.join(dataDirectory, 'session-secret'));
}

/** How session tokens are signed and checked. */
export async function tokenSettings(config: Config): Promise<TokenSettings> {
  const { algorithm, issuer, audience, jwksUrl } = config.session;
  if (algorithm !== 'HS256') return { algorithm, issuer, audience, jwksUrl: jwksUrl ?? '' };
  return { algorithm, issuer, audience, secret: Buffer.from((await sessionSecretOf(config)) ?? '', 'utf8') };
}

/** The secrets of preview links: those that are set, else one that follows from what the processes share. */
export async function previewSecrets(
  { previewSecrets: given, dataDirectory }: Config,
  tokens: TokenSettings,
): Promise<Secrets> {
  const [first, ...others] = given.map((secret) => Buffer.from(secret, 'utf8'));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [previewSecretFrom(tokens.secret)];
  const secret = await loadOrCreateSecret(path.join(dataDirectory, 'preview-secret'));
  return [Buffer.from(secret, 'utf8')];
}

/** The keys of stored webhook secrets: those that are set, else one that follows from what the processes share. */
export async function sealingKeys(
  { webhookKeys: given, dataDirectory }: Config,
  tokens: TokenSettings,
): Promise<Secrets> {
  const [first, ...others] = given.map((key) => sealingKeyFrom(Buffer.from(key, 'utf8')));
  if (first !== undefined) return [first, ...others];
  if ('secret' in tokens) return [sealingKeyFrom(tokens.secret)];
  const kept = await loadOrCreateSecret(path.join(dataDirectory, 'webhook-encryption-key'));
  return [sealingKeyFrom(Buffer.from(kept, 'utf8'))];
}
