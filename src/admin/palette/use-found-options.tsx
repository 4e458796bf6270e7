import { useNavigate } from '@tanstack/react-router';
import { typeOf, useProject, type Asset } from '../api/project-data.js';
import { StatusBadge } from '../entries/status-badge.js';
import { formatBytes, localeName, t } from '../texts/index.js';
import type { PaletteOption } from './option.js';
import type { Found } from './use-palette-search.js';

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const unescaped = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? '');

/** What a highlight of the search says, without its marks. */
const plainText = (html: string): string => unescaped(html.replace(/<\/?em>/g, ''));

/** A highlight of the search, in which `<em>` is the only markup. */
function MarkedText({ html }: { readonly html: string }) {
  return html
    .split(/<em>(.*?)<\/em>/s)
    .map((part, index) => (index % 2 === 1 ? <mark key={index}>{unescaped(part)}</mark> : unescaped(part)));
}

/** The first part that says more than the title. */
function excerptOf({ highlights = {}, title }: Found): string | undefined {
  const { title: _title, ...others } = highlights;
  return Object.values(others)
    .flat()
    .find((html) => plainText(html) !== title);
}

/** Entries, one locale each, and files that a search found. */
export function useFoundOptions(
  entries: readonly Found[],
  assets: readonly Asset[],
): { readonly entries: PaletteOption[]; readonly assets: PaletteOption[] } {
  const project = useProject();
  const navigate = useNavigate();
  const params = { project: project.slug, environment: project.environment };
  const ofEntry = (found: Found): PaletteOption => {
    const { entryId, locale, title, slug, status, highlights, contentTypeApiName } = found;
    const marked = highlights?.title?.[0];
    const excerpt = excerptOf(found);
    return {
      key: `${entryId}/${locale}`,
      icon: 'entry',
      isFound: true,
      title: marked === undefined ? title || slug || t('entry.untitled') : <MarkedText html={marked} />,
      excerpt: excerpt === undefined ? undefined : <MarkedText html={excerpt} />,
      note: (
        <>
          <span className="soft small">
            {typeOf(project, contentTypeApiName)?.name ?? contentTypeApiName}
          </span>
          <span className="badge" title={localeName(locale)}>
            {locale}
          </span>
          <StatusBadge status={status} />
        </>
      ),
      run: () =>
        void navigate({
          to: '/$project/$environment/entries/$entry',
          params: { ...params, entry: entryId },
          search: { locale },
        }),
    };
  };
  const ofAsset = ({ id, fileName, size, altText }: Asset): PaletteOption => ({
    key: id,
    icon: 'file',
    isFound: true,
    title: fileName,
    excerpt: altText ?? undefined,
    note: <span className="soft small">{formatBytes(size)}</span>,
    run: () => void navigate({ to: '/$project/$environment/media/$asset', params: { ...params, asset: id } }),
  });
  return { entries: entries.map(ofEntry), assets: assets.map(ofAsset) };
}
