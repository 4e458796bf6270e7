import { useQuery } from '@tanstack/react-query';
import { api, queryClient } from '../api/client.js';
import {
  typeOf,
  useProject,
  type Asset,
  type ContentType,
  type Entry,
  type Field,
} from '../api/project-data.js';
import {
  isDay,
  isInstant,
  isShort,
  isYesOrNo,
  mayBePicture,
  optionsOf,
  titleFieldOf,
} from '../fields/kinds.js';
import { formatDay, formatNumber, formatTime, t } from '../texts/index.js';

const key = (type: string): string => `headwater.columns.${type}`;
const SHOWN_AT_FIRST = 2;

/** Fields of the type that can be columns, without the one that is the title. */
export function columnFields(type: ContentType): Field[] {
  const title = titleFieldOf(type);
  return type.fields.filter((field) => field.apiName !== title && isShort(field) && !field.hidden);
}

/** The first field of the type that can hold a picture. */
const pictureFieldOf = (type: ContentType | undefined): Field | undefined =>
  type?.fields.find((field) => mayBePicture(field) && !field.hidden);

/** The id of the file in that field, of the first one in a list. */
function pictureOf({ fields }: Entry, type: ContentType | undefined): string | undefined {
  const [link] = [fields[pictureFieldOf(type)?.apiName ?? '']].flat() as { _ref: string }[];
  return link?._ref;
}

const PAGE = 50;
/** Pictures of a page are read again after this time, or when files are changed here. */
const PICTURES_MILLISECONDS = 300_000;

/** Finds the picture of a row; undefined if no type of the list has a field for one. */
export function usePictures(rows: readonly Entry[], type: ContentType | undefined) {
  const project = useProject();
  const { slug: projectSlug, types, may } = project;
  const hasPictures = may('media.list') && (type === undefined ? types : [type]).some(pictureFieldOf);
  const idOf = (entry: Entry) => pictureOf(entry, typeOf(project, entry.contentTypeApiName));
  const pages = rows.flatMap((_, index) =>
    index % PAGE > 0 || !hasPictures
      ? []
      : [[...new Set(rows.slice(index, index + PAGE).flatMap((row) => idOf(row) ?? []))]],
  );
  const { data } = useQuery({
    queryKey: [...api.media.list.pathKey(), projectSlug, pages],
    // One request for each page of the list, which is kept while others are added.
    queryFn: async () => {
      const read = (id: string[]) =>
        api.media.list.queryOptions({ projectSlug, id, limit: PAGE }, { staleTime: PICTURES_MILLISECONDS });
      const asked = pages.filter(({ length }) => length > 0);
      const found = await Promise.all(asked.map((id) => queryClient.fetchQuery(read(id))));
      return new Map(found.flatMap(({ data }) => data).map((asset) => [asset.id, asset]));
    },
    placeholderData: (before) => before,
  });
  return hasPictures ? (entry: Entry): Asset | undefined => data?.get(idOf(entry) ?? '') : undefined;
}

/** The columns that were chosen in this browser, else the first ones. */
export function chosenColumns(type: ContentType): string[] {
  const possible = columnFields(type).map(({ apiName }) => apiName);
  const stored = localStorage.getItem(key(type.apiName));
  if (stored === null) return possible.slice(0, SHOWN_AT_FIRST);
  return (JSON.parse(stored) as string[]).filter((name) => possible.includes(name));
}

export function keepColumns(type: ContentType, names: readonly string[]): void {
  localStorage.setItem(key(type.apiName), JSON.stringify(names));
}

/** The value of a cell as text. */
export function cellText(field: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '–';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return '';
  if (isDay(field)) return formatDay(value);
  if (isInstant(field)) return formatTime(value);
  return optionsOf(field).find((option) => option.value === value)?.label ?? value;
}

const yesOrNo = (): { value: string; label: string }[] => [
  { value: 'true', label: t('resource.yes') },
  { value: 'false', label: t('resource.no') },
];

/** The values that a field is limited to. */
export const choicesOf = (field: Field) => (isYesOrNo(field) ? yesOrNo() : optionsOf(field));
