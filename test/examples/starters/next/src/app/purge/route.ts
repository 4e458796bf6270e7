import { verifyWebhook } from 'headwater-client';
import { revalidateTag } from 'next/cache';
import { TAG } from '../../lib/headwater.ts';
import { secret } from '../../lib/site.ts';

/** The address of a webhook: what changed is read again. */
export async function POST(request: Request): Promise<Response> {
  const body = await request.text();
  if (!secret || !(await verifyWebhook(secret, { headers: request.headers, body })))
    return new Response('The signature is not valid.', { status: 401 });
  revalidateTag(TAG, { expire: 0 });
  return new Response(null, { status: 204 });
}
