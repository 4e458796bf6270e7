import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { fileUrl, renditionUrl } from '../media-url.js';

/** Shorter than the hour that a signed URL works. */
const FRESH_MILLISECONDS = 30 * 60 * 1000;

/** The URL of the file, or of a smaller copy. Private files have one that works for an hour. */
export function useFileUrl({ id, url, visibility, checksum }: Asset, pixels?: number) {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: ['file-url', id, checksum, visibility, pixels],
    queryFn: async (): Promise<string> => {
      if (visibility === 'public') return pixels === undefined ? fileUrl(url) : renditionUrl(url, pixels);
      const transform = pixels === undefined ? {} : { transform: { w: pixels, fm: 'webp' as const } };
      const { data } = await client.media.signUrl.mutate({ projectSlug, id, ...transform });
      return fileUrl(data.url);
    },
    staleTime: FRESH_MILLISECONDS,
  });
}
