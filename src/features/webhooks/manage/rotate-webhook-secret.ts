import type { webhooks } from '../../../../contracts/management/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { WebhookWithSecret } from '../../../../contracts/resources/webhook.js';
import { formatWebhookSecret, previewOfSecret } from '../../../access/webhook-signature.js';
import { randomSecretBytes } from '../../../infrastructure/random.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { WebhookServices } from '../webhook-services.js';
import { presentWebhook } from '../webhook.presenter.js';
import { WebhookRepository, type StoredSecret, type WebhookRow } from '../webhook.repository.js';

/** Former secrets that may sign at once: one signature each, in one header. */
const MAXIMUM_FORMER_SECRETS = 4;

/** The secrets after a rotation: a former one ends with the overlap, or earlier if that was its time. */
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
  return [{ sealed, expiresAt: null }, ...still.slice(0, MAXIMUM_FORMER_SECRETS)];
}

/** Gives a webhook another secret, which leaves the service once, in this answer. */
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
  // What no key of this process opens signs nothing, and would only hold up every call.
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
  return { data: { ...presentWebhook(after), secret } };
}
