import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { client, type Outputs } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { apiOrigin } from '../api/origin.js';
import { useProject, type Entry, type Project } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { IconButton } from '../ui/icon-button.js';
import { Loaded } from '../ui/states.js';
import type { EntryEditor } from './use-entry-editor.js';

type Link = Outputs['entries']['previewSite']['data'];

/** Width of the page in pixels. */
const widths = { phone: 390, tablet: 768, desktop: 1280 } as const;
type Device = keyof typeof widths;
const devices = Object.keys(widths) as Device[];
const KEY = 'headwater.previewWidth';

const service = apiOrigin || window.location.origin;
/** The service permits frames of its pages on its own origin only. */
const isFramed = service === window.location.origin;
const RENEW_MILLISECONDS = 60_000;
const LEAST_MILLISECONDS = 10_000;

/** A page of the whole site, of the entry alone for those who may not read every entry. */
async function previewOf({ slug, sites }: Project, { id, siteId, locale }: Entry): Promise<Link> {
  const call = { projectSlug: slug, locale };
  try {
    return (await client.entries.previewSite.mutate({ ...call, siteId, entryId: id })).data;
  } catch (error) {
    if (failureOf(error).code !== 'permission_denied') throw error;
    const { data } = await client.entries.preview.mutate({ ...call, id });
    const site = sites.find((one) => one.id === siteId)?.slug ?? '';
    const query = new URLSearchParams({ entry: id, locale, previewToken: data.token });
    return { ...data, url: `${service}/preview/${slug}/${site}?${query.toString()}` };
  }
}

/** What the frame shows: a page of the service, or one with the page of the site in it. */
function addressOf({ url, token }: Link): { readonly page: string; readonly frame: string } {
  const page = new URL(url, service);
  if (page.origin === service) return { page: page.href, frame: page.href };
  const query = new URLSearchParams({ previewToken: token });
  return {
    page: page.href,
    frame: `${service}/preview-frame?${query.toString()}#${encodeURIComponent(page.href)}`,
  };
}

interface Source {
  readonly entryId: string;
  readonly locale: string;
  readonly path: string;
}

type Message = Readonly<Record<string, unknown>>;

const isMessage = (data: unknown): data is Message => typeof data === 'object' && data !== null;

const isSource = (data: unknown): data is Source & Message =>
  isMessage(data) && ['entryId', 'locale', 'path'].every((key) => typeof data[key] === 'string');

interface FrameProps {
  readonly editor: EntryEditor;
  /** Opens a field of the entry. */
  readonly onOpen: (path: string) => void;
}

/** Opens the fields of texts that are clicked, and shows the text of the field that has the focus. */
function useMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  { editor: { saved }, onOpen }: FrameProps,
): void {
  const { slug, environment } = useProject();
  const navigate = useNavigate();
  const open = ({ entryId, locale, path }: Source): void => {
    if (entryId === saved.id && locale === saved.locale) {
      onOpen(path);
      return;
    }
    const params = { project: slug, environment, entry: entryId };
    const search = { locale, field: path };
    void navigate({ to: '/$project/$environment/entries/$entry', params, search });
  };
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const tell = (message: object): void => frame.current?.contentWindow?.postMessage(message, service);
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>): void => {
      if (origin !== service || source !== frame.current?.contentWindow) return;
      if (isSource(data) && data.type === 'headwater:open') latest.current(data);
      // It was read again.
      if (isMessage(data) && data.type === 'headwater:ready') show();
    };
    const show = (): void => {
      const row = document.activeElement?.closest<HTMLElement>('.editor-form [data-path]');
      const path = row?.dataset.path;
      if (path !== undefined) tell({ type: 'headwater:scroll', entryId: saved.id, path });
    };
    addEventListener('message', onMessage);
    addEventListener('focusin', show);
    return () => {
      removeEventListener('message', onMessage);
      removeEventListener('focusin', show);
    };
  }, [saved.id]);
  const shown = useRef(saved.version);
  useEffect(() => {
    if (shown.current === saved.version) return;
    shown.current = saved.version;
    const change = { entryId: saved.id, locale: saved.locale, version: saved.version };
    frame.current?.contentWindow?.postMessage({ type: 'headwater:changed', change }, service);
  }, [saved.version]);
}

/** The page in the width of a device, made smaller where there is less room. */
function Page({
  address,
  device,
  ...props
}: FrameProps & { readonly address: string; readonly device: Device }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = room.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useMessages(frame, props);
  const width = widths[device];
  const scale = size.width === 0 ? 1 : Math.min(1, size.width / width);
  const left = Math.max(0, (size.width - width * scale) / 2);
  return (
    <div className="preview-room" ref={room}>
      <iframe
        ref={frame}
        src={address}
        style={{ left, width, height: size.height / scale, transform: `scale(${String(scale)})` }}
        title={t('preview.page')}
      />
    </div>
  );
}

const keptDevice = (): Device =>
  devices.find((one) => one === localStorage.getItem(KEY)) ??
  (window.matchMedia('(width < 760px)').matches ? 'phone' : 'desktop');

interface Props extends FrameProps {
  readonly onClose: () => void;
}

/** The page of the entry beside its form, as it will be: what is typed is saved after a moment, and shown. */
export function PreviewFrame({ editor, onOpen, onClose }: Props) {
  const project = useProject();
  const [device, setDevice] = useState(keptDevice);
  const { id, locale } = editor.saved;
  const query = useQuery({
    queryKey: ['preview', project.slug, project.environment, id, locale],
    queryFn: () => previewOf(project, editor.saved),
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data === undefined
        ? false
        : Math.max(Date.parse(data.expiresAt) - Date.now() - RENEW_MILLISECONDS, LEAST_MILLISECONDS),
  });
  const choose = (next: Device): void => {
    localStorage.setItem(KEY, next);
    setDevice(next);
  };
  return (
    <aside aria-label={t('preview.title')} className="panel page-preview" dir="ltr">
      <div className="row">
        <h2 className="grow">{t('preview.title')}</h2>
        <div aria-label={t('preview.width')} className="row" role="group">
          {devices.map((one) => (
            <button
              aria-pressed={device === one}
              className="button plain"
              key={one}
              onClick={() => choose(one)}
              type="button"
            >
              {t(`preview.${one}`)}
            </button>
          ))}
        </div>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      <Loaded query={query}>
        {(link) => {
          const { page, frame } = addressOf(link);
          return (
            <>
              {isFramed ? (
                <Page address={frame} device={device} editor={editor} onOpen={onOpen} />
              ) : (
                <p className="notice">{t('preview.elsewhere')}</p>
              )}
              <p className="small">
                <a href={page} rel="noopener noreferrer" target="_blank">
                  {t('preview.open')}
                </a>
              </p>
            </>
          );
        }}
      </Loaded>
    </aside>
  );
}
