import { clientIn } from '../../api/client.js';
import type { Asset } from '../../api/project-data.js';
import { announced, sendBytes, untilAnswered, type Sending } from './send-file.js';

/**
 * Replaces the file of an asset, unless someone else has changed the asset. What has arrived of a file that is refused or
 * canceled is deleted.
 */
export async function replaceAsset(
  { id, version }: Pick<Asset, 'id' | 'version'>,
  sending: Sending,
): Promise<Asset> {
  const { projectSlug, environment, file, signal } = sending;
  const { mediaUploads } = clientIn(environment);
  const create = () => mediaUploads.create.mutate({ projectSlug, replaces: id, ...announced(file) });
  const { data: started } = await untilAnswered(create, sending);
  const call = { projectSlug, id: started.id };
  try {
    await sendBytes(started, sending);
    signal.throwIfAborted();
    const { data } = await untilAnswered(() => mediaUploads.complete.mutate({ ...call, version }), sending);
    return data;
  } catch (error) {
    // What the service does not delete now, it deletes when the upload expires.
    await mediaUploads.abort.mutate(call).catch(() => undefined);
    throw error;
  }
}
