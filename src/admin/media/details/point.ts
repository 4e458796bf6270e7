/** Fractions of width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const CENTER: Point = { x: 0.5, y: 0.5 };

/** Percents are what people see and the service rounds crops to. */
const rounded = (fraction: number): number => Math.round(Math.min(1, Math.max(0, fraction)) * 100) / 100;

export const percentOf = (fraction: number): number => Math.round(fraction * 100);

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export const pointAt = (
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
export function movedBy(
  { x, y }: Point,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): Point | undefined {
  if (key === 'Home') return CENTER;
  const direction = directions[key];
  if (direction === undefined) return undefined;
  const step = shiftKey ? 0.1 : 0.01;
  return { x: rounded(x + direction.x * step), y: rounded(y + direction.y * step) };
}
