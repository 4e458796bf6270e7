import type { webhooks } from '../../../../../contracts/operations/webhooks/webhooks.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { WebhookWithSecret } from '../../../../../contracts/operations/webhooks/webhook.js';
import { formatWebhookSecret, previewOfSecret } from '../../../../access/media-signature.js';
import { randomSecretBytes } from '../../../../infrastructure/ids.js';
import { authorize } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { WebhookServices } from '../webhook-services.js';
import { shownWebhook } from '../webhook.presenter.js';
import { WebhookRepository, type StoredSecret, type WebhookRow } from '../webhook.repository.js';

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
