import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { FileSource } from '../../../../contracts/media/media/media-file.js';
import type { MediaAsset } from '../../../../contracts/media/media/media-asset.js';
import type { Progress } from '../../progress.js';
import { KeyedPool } from '../picture-library.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { reasonOf } from '../send-items.js';
import { AppError } from '../../../../contracts/errors.js';
import type { ExportSource, SourceAsset } from './export-source.js';
import type { ImportPlan } from './import-plan.js';
import type { ImportReport } from './import-report.js';
import type { PreparedTarget } from './import-target.js';

const CONCURRENCY = 4;

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Whether there is a file to store. */
export const isStorable = ({ file, url }: SourceAsset): boolean => file !== undefined || url !== undefined;

const sourceOf = ({ file = '', fileName }: SourceAsset): FileSource => ({
  fileName,
  open: () => createReadStream(file),
  bytesAtMost: () => undefined,
  complete: Promise.resolve(),
});

type Texts = Readonly<Partial<Record<'title' | 'description' | 'altText', string | null>>>;

/** Whether every text that the export has is there already. */
const isSame = (own: Texts | undefined, wanted: Texts): boolean =>
  own !== undefined &&
  (['title', 'description', 'altText'] as const).every(
    (key) => wanted[key] === undefined || wanted[key] === own[key],
  );

/** What of a plan concerns assets. */
interface AssetPlan extends Pick<ImportPlan, 'locales'> {
  readonly source: Pick<ExportSource, 'system' | 'assets'>;
}

/** Stores the files of an export. An asset is found again by a tag with its id in the export. */
export class AssetImport {
  /** Ids by those of the export. */
  readonly ids = new Map<string, string>();

  constructor(
    private readonly target: Pick<PreparedTarget, 'client' | 'projectSlug'>,
    private readonly plan: AssetPlan,
    private readonly report: ImportReport,
  ) {}

  /** An asset that fails is a loss; the others continue. */
  async store(progress: Progress): Promise<void> {
    const stored = this.plan.source.assets.filter(isStorable);
    if (stored.length === 0) return;
    this.report.losses.add('asset', 'assets', [
      'dates and authors',
      'An asset has the time and the user of its upload.',
      'None.',
    ]);
    progress.start(stored.length);
    const pool = new KeyedPool(CONCURRENCY);
    let failure: unknown;
    try {
      for (const asset of stored) {
        await pool.add(asset.id, async () => {
          if (failure !== undefined) return;
          await this.#storeOne(asset).catch((error: unknown) => {
            if (error instanceof AppError && error.status < 500 && error.status !== 401)
              this.#lose(asset, error);
            else failure = error;
          });
          progress.advance();
        });
      }
      await pool.drain();
    } finally {
      progress.stop();
    }
    if (failure !== undefined) throw failure as Error;
  }

  #lose({ where, address }: SourceAsset, error: unknown): void {
    this.report.losses.add('asset', where, [
      `the file ${address}`,
      reasonOf(error),
      'Upload another file, and use it in the entries.',
    ]);
  }

  async #storeOne(asset: SourceAsset): Promise<void> {
    const { client, projectSlug } = this.target;
    const tag = this.#tagOf(asset);
    const { data } = await client.call('media', 'list', {
      projectSlug,
      tag: [tag],
      orderBy: 'createdAt:asc',
      limit: 1,
    });
    const known = data[0];
    const found = known ?? (await this.#upload(asset, tag));
    this.ids.set(asset.id, found.id);
    const isReplaced = known !== undefined && (await this.#replace(asset, known));
    const isDescribed = await this.#describe(asset, found.id);
    const isMoved = await this.#place(asset, found);
    const isChanged = isReplaced || isDescribed || isMoved;
    this.report.count('asset', known === undefined ? 'made' : isChanged ? 'changed' : 'same');
  }

  /** @returns whether it is elsewhere in the export */
  async #place({ place }: SourceAsset, { id, folderId, siteIds, focalPoint }: MediaAsset): Promise<boolean> {
    if (place === undefined || isEqualJson(place, { folderId, siteIds, focalPoint })) return false;
    const { client, projectSlug } = this.target;
    await client.call('media', 'update', { projectSlug, id, ...place });
    return true;
  }

  /** Tags have no commas and at most 100 characters. */
  #tagOf({ id }: SourceAsset): string {
    const tag = `${this.plan.source.system}:${id}`;
    if (tag.length <= 100 && !tag.includes(',')) return tag;
    return `${this.plan.source.system}:${createHash('sha256').update(id).digest('hex')}`;
  }

  async #upload(asset: SourceAsset, tag: string): Promise<MediaAsset> {
    const { client, projectSlug } = this.target;
    const others = asset.tags
      .map((one) => one.replaceAll(',', ' ').trim().slice(0, 100))
      .filter((one) => one !== '');
    const tags = [tag, ...new Set(others)].slice(0, 50);
    const { url } = asset;
    const own = {
      projectSlug,
      tags,
      ...(asset.isPrivate && { visibility: 'private' as const }),
    };
    const { data } =
      url === undefined
        ? await client.call('media', 'upload', { ...own, file: sourceOf(asset), duplicate: 'create' })
        : await client.call('media', 'importUrl', { ...own, url });
    return data;
  }

  /** @returns whether the export has another file than before */
  async #replace(asset: SourceAsset, { id, version, sourceChecksum }: MediaAsset): Promise<boolean> {
    if (asset.file === undefined) return false;
    if ((await checksumOf(asset.file)) === sourceChecksum) return false;
    const { client, projectSlug } = this.target;
    await client.call('media', 'replace', { projectSlug, id, version, file: sourceOf(asset) });
    return true;
  }

  /** @returns whether texts were written */
  async #describe({ texts, where }: SourceAsset, id: string): Promise<boolean> {
    const { client, projectSlug } = this.target;
    if (texts.size === 0) return false;
    const { data } = await client.call('media', 'listLocales', { projectSlug, id });
    const own = new Map(data.map((overlay) => [overlay.locale, overlay]));
    let isChanged = false;
    for (const [code, wanted] of texts) {
      const locale = this.plan.locales.get(code);
      if (locale === undefined || isSame(own.get(locale), wanted)) continue;
      await client
        .call('media', 'putLocale', { projectSlug, id, locale, ...wanted })
        .catch((error: unknown) => {
          if (!(error instanceof AppError) || error.status >= 500) throw error;
          this.report.losses.add('asset', where, [
            `title and description in ${code}`,
            reasonOf(error),
            'Write them in the media library.',
          ]);
        });
      isChanged = true;
    }
    return isChanged;
  }
}
