import { limits } from '../../../../../contracts/limits.js';
import type { SealedBox } from '../../../../access/sealed-box.js';
import { signatureHeaders } from '../../../../access/media-signature.js';
import type { OutgoingCall } from '../../../../infrastructure/webhook-sender.js';
import type { EventBody, StoredDelivery } from '../delivery.repository.js';
import type { WebhookRow } from '../webhook.repository.js';

/** Event type of a call that carries several events. */
export const BATCH = 'webhook.batch';

type Body = EventBody['body'];

function withoutEntry(body: Body): Body {
  const { entry: _entry, ...data } = body.data as Record<string, unknown>;
  return { ...body, data };
}

/** The entries of a batch share this room. */
const BATCH_ENTRY_BYTES = 16 * limits.webhookEntryBytes;

function batchOf(delivery: StoredDelivery, events: readonly Body[]): Body {
  let room = BATCH_ENTRY_BYTES;
  const fitting = events.map((body) => {
    const { entry } = body.data as { entry?: unknown };
    if (entry === undefined) return body;
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    if (bytes > room) return withoutEntry(body);
    room -= bytes;
    return body;
  });
  const timestamp = delivery.createdAt.toISOString();
  return { id: delivery.id, type: BATCH, timestamp, project: events[0]?.project, data: { events: fitting } };
}

/** Byte-equal for every attempt of a delivery. */
function messageOf(
  webhook: WebhookRow,
  delivery: StoredDelivery,
  known: ReadonlyMap<string, EventBody>,
): { id: string; body: string; requestId: string } {
  const events = delivery.eventIds.flatMap((id) => known.get(id) ?? []);
  const bodies = events.map(({ body }) => (webhook.payload === 'thin' ? withoutEntry(body) : body));
  const [only] = bodies;
  const message = delivery.eventType === BATCH || only === undefined ? batchOf(delivery, bodies) : only;
  return {
    id: String(message.id),
    body: JSON.stringify(message),
    requestId: events[0]?.requestId ?? delivery.id,
  };
}

/** The signing secrets, newest first, and the configured headers; undefined if one cannot be decrypted. */
function openSecrets(
  { id, secrets, headers }: WebhookRow,
  secretBox: SealedBox,
  now: Date,
): { secrets: string[]; headers: [string, string][] } | undefined {
  const signing = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now.toISOString());
  const opened = signing.map(({ sealed }) => secretBox.openText(sealed, id));
  const added = headers.map((header): [string, string | undefined] => [
    header.name,
    'value' in header ? header.value : secretBox.openText(header.sealed, id),
  ]);
  const isComplete = [...opened, ...added.map(([, value]) => value)].every((value) => value !== undefined);
  return isComplete ? { secrets: opened as string[], headers: added as [string, string][] } : undefined;
}

export interface CallParts {
  readonly webhook: WebhookRow;
  readonly bodies: ReadonlyMap<string, EventBody>;
  readonly secretBox: SealedBox;
  readonly userAgent: string;
  readonly now: Date;
}

/** Returns undefined if a secret of the webhook cannot be decrypted. */
export function outgoingCall(delivery: StoredDelivery, parts: CallParts): OutgoingCall | undefined {
  const { webhook, bodies, secretBox, userAgent, now } = parts;
  const opened = openSecrets(webhook, secretBox, now);
  if (opened === undefined) return undefined;
  const { id, body, requestId } = messageOf(webhook, delivery, bodies);
  return {
    url: webhook.url,
    body,
    headers: {
      ...Object.fromEntries(opened.headers),
      'content-type': 'application/json',
      'user-agent': userAgent,
      'x-request-id': requestId,
      ...signatureHeaders({ id, at: now, body }, opened.secrets),
    },
  };
}
