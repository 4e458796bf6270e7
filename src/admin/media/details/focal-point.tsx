import { useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';
import { client } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshMedia, rememberAsset } from '../media-queries.js';

/** Fractions of width and height. */
interface Point {
  readonly x: number;
  readonly y: number;
}

const CENTER: Point = { x: 0.5, y: 0.5 };

/** Percents are what people see and the service rounds crops to. */
const rounded = (fraction: number): number => Math.round(Math.min(1, Math.max(0, fraction)) * 100) / 100;

const percentOf = (fraction: number): number => Math.round(fraction * 100);

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const pointAt = (
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  { left, top, width, height }: Box,
): Point =>
  width === 0 || height === 0
    ? CENTER
    : { x: rounded((clientX - left) / width), y: rounded((clientY - top) / height) };

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** An arrow moves by one percent, with Shift by ten; Home is the center. Other keys are undefined. */
function movedBy(
  { x, y }: Point,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): Point | undefined {
  if (key === 'Home') return CENTER;
  const direction = directions[key];
  if (direction === undefined) return undefined;
  const step = shiftKey ? 0.1 : 0.01;
  return { x: rounded(x + direction.x * step), y: rounded(y + direction.y * step) };
}

/** The width of the copy that is shown, if the picture is wider. */
export const PREVIEW_PIXELS = 800;

interface Props {
  readonly asset: Asset;
  /** Undefined until it is known. */
  readonly url: string | undefined;
}

/** The place of the picture, which is kept while the picture is read: what is below does not move. */
function sizeOf({ width, height }: Asset): CSSProperties | undefined {
  if (width === null || height === null) return undefined;
  const shown = `${String(Math.min(width, PREVIEW_PIXELS))}px`;
  return { aspectRatio: width / height, width: `min(${shown}, 60dvh * ${String(width / height)})` };
}

const shapes = ['1 / 1', '16 / 9', '3 / 4'] as const;

/** What crops of several shapes keep. */
function Crops({ url, point }: { readonly url: Props['url']; readonly point: Point }) {
  const objectPosition = `${String(point.x * 100)}% ${String(point.y * 100)}%`;
  return (
    <div aria-hidden="true" className="crops">
      {shapes.map((aspectRatio) => (
        <img alt="" key={aspectRatio} src={url} style={{ aspectRatio, objectPosition }} />
      ))}
    </div>
  );
}

/** The picture. A press on it sets the point that crops keep; with the keyboard, the marker moves. */
export function FocalPoint({ asset, url }: Props) {
  const { slug: projectSlug, environment, may } = useProject();
  const saved: Point = asset.focalPoint ?? CENTER;
  const [moved, setPoint] = useState<Point>();
  const point = moved ?? saved;
  const isReadOnly = !may('media.update');
  const isChanged = point.x !== saved.x || point.y !== saved.y;
  const place = (event: PointerEvent<HTMLElement>): void => {
    if (!isReadOnly && event.buttons === 1)
      setPoint(pointAt(event, event.currentTarget.getBoundingClientRect()));
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = movedBy(point, event);
    if (next === undefined) return;
    event.preventDefault();
    setPoint(next);
  };
  const save = async (focalPoint: Point | null): Promise<void> => {
    try {
      const { id, version } = asset;
      const { data } = await client.media.update.mutate({ projectSlug, id, version, focalPoint });
      rememberAsset({ projectSlug, environment }, data);
      notify(t('focal.saved'));
    } catch (error) {
      notifyFailure(error);
    }
    await refreshMedia();
    setPoint(undefined);
  };
  const position = { left: `${String(point.x * 100)}%`, top: `${String(point.y * 100)}%` } as CSSProperties;
  return (
    <div className="stack">
      <div
        className={isReadOnly ? 'file-preview' : 'file-preview focal'}
        onPointerDown={(event) => {
          // Dragging goes on outside the picture; the browser would drag the picture itself.
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          place(event);
        }}
        onPointerMove={place}
        style={sizeOf(asset)}
      >
        <img alt={asset.altText ?? ''} draggable={false} src={url} />
        {!isReadOnly && (
          <button
            aria-label={t('focal.marker', { x: percentOf(point.x), y: percentOf(point.y) })}
            className="focal-marker"
            onKeyDown={onKey}
            style={position}
            title={t('focal.hint')}
            type="button"
          />
        )}
      </div>
      {!isReadOnly && (
        <div className="row">
          <span className="soft small grow">{t('focal.hint')}</span>
          {asset.focalPoint !== null && (
            <button className="button" onClick={() => void save(null)} type="button">
              {t('focal.clear')}
            </button>
          )}
          <button
            className="button primary"
            disabled={!isChanged}
            onClick={() => void save(point)}
            type="button"
          >
            {t('focal.save')}
          </button>
        </div>
      )}
      <Crops point={point} url={url} />
    </div>
  );
}
