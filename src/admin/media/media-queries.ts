import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, client, isEntered, queryClient, type Outputs } from '../api/client.js';
import { cursorPages } from '../api/cursor-pages.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject, type Asset } from '../api/project-data.js';
import type { MediaSearch } from './library/media-search.js';

export type Folder = Outputs['mediaFolders']['get']['data'];

const PAGE = 48;

/** The assets that the library shows, by pages. */
export function useAssets({ folder, kind, tag, q, unused, missingAlt, order }: MediaSearch) {
  const { slug: projectSlug } = useProject();
  const input = {
    projectSlug,
    limit: PAGE,
    ...(folder !== undefined && { folderId: folder }),
    ...(kind !== undefined && { mimeType: `${kind}/` }),
    ...(tag !== undefined && { tag: [tag] }),
    ...(q !== undefined && { q }),
    ...(unused === true && { unused }),
    ...(missingAlt !== undefined && { missingAltText: missingAlt }),
    ...(order !== undefined && { orderBy: order }),
  };
  return useInfiniteQuery(
    cursorPages(api.media.list.queryKey(input), (cursor) => client.media.list.query({ ...input, cursor })),
  );
}

/** Folders at every level, by path. */
export function useFolders() {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: [...api.mediaFolders.list.pathKey(), projectSlug, 'all'],
    queryFn: async (): Promise<Folder[]> => {
      const all = await everyItem((page) =>
        client.mediaFolders.list.query({ projectSlug, page, limit: PAGE_SIZE }),
      );
      return all.sort((one, other) => one.path.localeCompare(other.path));
    },
  });
}

/** At most as many uses and earlier files of an asset are shown. */
const SHOWN = 50;

/** The fields of entries that show the asset. */
export function useAssetUses(id: string) {
  const { slug: projectSlug } = useProject();
  return useQuery(api.media.listReferences.queryOptions({ projectSlug, id, limit: SHOWN }));
}

/** The files that the asset has had. */
export function useAssetFiles(id: string) {
  const { slug: projectSlug } = useProject();
  return useQuery(api.media.listVersions.queryOptions({ projectSlug, id, limit: SHOWN }));
}

/** What the asset says in each locale. */
export function useAssetLocales(id: string) {
  const { slug: projectSlug } = useProject();
  return useQuery(api.media.listLocales.queryOptions({ projectSlug, id }));
}

interface Home {
  readonly projectSlug: string;
  readonly environment: string;
}

/** Shows an asset as a change has left it, until it is read again: the next change names its version. */
export function rememberAsset({ projectSlug, environment }: Home, asset: Asset): void {
  if (!isEntered(environment)) return;
  queryClient.setQueryData(api.media.get.queryKey({ projectSlug, id: asset.id }), { data: asset });
}

/** After something in the library has changed. Resolves when what is shown has been read again. */
export async function refreshMedia(): Promise<void> {
  await Promise.all(
    [api.media.pathKey(), api.mediaFolders.pathKey()].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
