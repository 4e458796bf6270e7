import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { webhooks } from '../../../../../contracts/operations/webhooks/webhooks.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { WebhookWithSecret, Webhook } from '../../../../../contracts/operations/webhooks/webhook.js';
import {
  withWarnings,
  listEnvelope,
  type Warned,
  type Warning,
  type Deleted,
  type PageMeta,
} from '../../../../../contracts/envelopes.js';
import { formatWebhookSecret, previewOfSecret } from '../../../../access/media-signature.js';
import { randomSecretBytes } from '../../../../infrastructure/ids.js';
import { authorize } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { makingKey } from '../../../shared/key-reach.js';
import { definedKeys, hasChanges } from '../../../shared/lists.js';
import type { WebhookServices } from '../webhook-services.js';
import { allFilters, shownWebhook, shownWebhooks } from '../webhook.presenter.js';
import {
  WebhookRepository,
  type WebhookRow,
  type StoredHeader,
  type StoredSecret,
} from '../webhook.repository.js';
import { assertTarget, storedHeaders } from './webhook.policy.js';

type Input = InputOf<typeof webhooks.create>;

function newWebhook(
  work: UnitOfWork,
  input: Input,
  { secretBox }: WebhookServices,
): Omit<WebhookRow, 'secrets' | 'secretPreview'> {
  const { name, url, events, filters = {}, headers = [], payload, enabled, batchWindowSeconds } = input;
  const { tenantId, projectId, actor } = work.scope;
  const id = work.newId();
  return {
    tenantId: tenantId ?? '',
    projectId: projectId ?? '',
    id,
    name,
    url,
    payload,
    enabled,
    batchWindowSeconds,
    events: [...new Set(events)],
    filters: allFilters(filters),
    headers: storedHeaders(headers, { webhookId: id, before: [], secretBox }),
    health: 'unknown',
    failingSince: null,
    lastDeliveryAt: null,
    createdAt: work.now,
    createdBy: actor,
    ownerKeyId: makingKey(work.scope),
    updatedAt: work.now,
  };
}

/** Only this response contains the secret. */
export async function createWebhook(
  work: UnitOfWork,
  input: Input,
  services: WebhookServices,
): Promise<{ data: WebhookWithSecret }> {
  authorize(work, 'webhooks.create', {});
  assertTarget(input.url, services.sender.rules);
  const webhooks = work.use(WebhookRepository);
  if ((await webhooks.count()) >= limits.webhooksPerProject)
    throw new AppError('limit_reached', { limit: limits.webhooksPerProject });
  const webhook = newWebhook(work, input, services);
  const secret = formatWebhookSecret(randomSecretBytes());
  const row: WebhookRow = {
    ...webhook,
    secrets: [{ sealed: services.secretBox.sealText(secret, webhook.id), expiresAt: null }],
    secretPreview: previewOfSecret(secret),
  };
  await webhooks.insert(row);
  return { data: { ...(await shownWebhook(work, row)), secret } };
}

/** Enabling a webhook resets its health. */
function enabledChange(before: WebhookRow, enabled: boolean): Partial<WebhookRow> {
  if (!enabled || before.enabled) return { enabled };
  return { enabled, health: 'unknown', failingSince: null };
}

/** What a key sends elsewhere ends with that key (rule access/key-expiry). */
function urlChange({ scope }: UnitOfWork, before: WebhookRow, url: string): Partial<WebhookRow> {
  const keyId = makingKey(scope);
  return keyId === null || url === before.url ? { url } : { url, ownerKeyId: keyId };
}

const isSecret = (header: StoredHeader): boolean => 'sealed' in header;

/** Headers that remain for the URL: the secret ones are for the origin that they were given for (rule events/webhooks). */
function remainingHeaders({ url, headers }: WebhookRow, next: string | undefined): readonly StoredHeader[] {
  const isElsewhere = next !== undefined && new URL(next).origin !== new URL(url).origin;
  return isElsewhere ? headers.filter((header) => !isSecret(header)) : headers;
}

function droppedWarnings(before: WebhookRow, after: readonly StoredHeader[]): Warning[] {
  const names = new Set(after.map(({ name }) => name.toLowerCase()));
  return before.headers
    .filter((header) => isSecret(header) && !names.has(header.name.toLowerCase()))
    .map(({ name }) => ({
      code: 'secret_header_dropped',
      message: `The URL has another origin, so the secret header "${name}" was removed. Send its value again.`,
      path: ['url'],
    }));
}

/** Equal values change nothing. */
export async function updateWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.update>,
  { secretBox, sender }: WebhookServices,
): Promise<Warned<Webhook>> {
  authorize(work, 'webhooks.update', {});
  const { projectSlug: _project, id, ...change } = input;
  const { headers, filters, enabled, events, url, ...given } = definedKeys(change);
  if (url !== undefined) assertTarget(url, sender.rules);
  const webhooks = work.use(WebhookRepository);
  const before = await webhooks.lock(id);
  const remaining = remainingHeaders(before, url);
  const changes: Partial<WebhookRow> = {
    ...given,
    ...(url !== undefined && urlChange(work, before, url)),
    headers: remaining,
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(filters !== undefined && { filters: allFilters(filters) }),
    ...(headers !== undefined && {
      headers: storedHeaders(headers, { webhookId: before.id, before: remaining, secretBox }),
    }),
    ...(enabled !== undefined && enabledChange(before, enabled)),
  };
  if (!hasChanges(before, changes)) return { data: await shownWebhook(work, before) };
  const after: WebhookRow = { ...before, ...changes, updatedAt: work.now };
  await webhooks.save(before, after);
  const warnings = headers === undefined ? droppedWarnings(before, after.headers) : [];
  return withWarnings(await shownWebhook(work, after), warnings);
}

/** Pending deliveries remain until they are pruned. */
export async function deleteWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.delete>,
): Promise<{ data: Deleted }> {
  authorize(work, 'webhooks.delete', {});
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.lock(input.id);
  await webhooks.remove(webhook);
  return { data: { id: webhook.id, deleted: true } };
}

export async function getWebhook(
  work: UnitOfWork,
  { id }: InputOf<typeof webhooks.get>,
): Promise<{ data: Webhook }> {
  return { data: await shownWebhook(work, await work.use(WebhookRepository).find(id)) };
}

export async function listWebhooks(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.list>,
): Promise<{ data: Webhook[]; meta: PageMeta }> {
  const { items, total } = await work.use(WebhookRepository).list(input);
  return listEnvelope({ items: await shownWebhooks(work, items), total }, input);
}

/** Makes the webhook of a key the caller's, so that it outlives the key (rule access/key-expiry). One of a user is unchanged. */
export async function adoptWebhook(
  work: UnitOfWork,
  { id }: InputOf<typeof webhooks.adopt>,
): Promise<{ data: Webhook }> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const before = await webhooks.lock(id);
  if (before.ownerKeyId === null) return { data: await shownWebhook(work, before) };
  const after: WebhookRow = {
    ...before,
    ownerKeyId: null,
    createdBy: work.scope.actor,
    updatedAt: work.now,
  };
  await webhooks.save(before, after, 'adopt');
  return { data: await shownWebhook(work, after) };
}

/** Each former secret adds a signature to one header. */
const MAX_FORMER_SECRETS = 4;

/** Former secrets expire with the overlap, or at their own time if that is earlier. */
function withNewSecret(
  sealed: string,
  former: readonly StoredSecret[],
  { now, overlapSeconds }: { now: Date; overlapSeconds: number },
): StoredSecret[] {
  const end = new Date(now.getTime() + overlapSeconds * 1000).toISOString();
  const still = former
    .map((secret) => ({
      ...secret,
      expiresAt: secret.expiresAt !== null && secret.expiresAt < end ? secret.expiresAt : end,
    }))
    .filter(({ expiresAt }) => expiresAt > now.toISOString());
  return [{ sealed, expiresAt: null }, ...still.slice(0, MAX_FORMER_SECRETS)];
}

/** Only this response contains the new secret. */
export async function rotateWebhookSecret(
  work: UnitOfWork,
  { id, overlapSeconds }: InputOf<typeof webhooks.rotateSecret>,
  { secretBox }: WebhookServices,
): Promise<{ data: WebhookWithSecret }> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const before = await webhooks.lock(id);
  const secret = formatWebhookSecret(randomSecretBytes());
  const sealed = secretBox.sealText(secret, before.id);
  // A secret that cannot be decrypted signs nothing and would block every call.
  const former = before.secrets.filter(
    (stored) => secretBox.openText(stored.sealed, before.id) !== undefined,
  );
  const after: WebhookRow = {
    ...before,
    secrets: withNewSecret(sealed, former, { now: work.now, overlapSeconds }),
    secretPreview: previewOfSecret(secret),
    updatedAt: work.now,
  };
  await webhooks.save(before, after, 'rotate_secret');
  return { data: { ...(await shownWebhook(work, after)), secret } };
}
