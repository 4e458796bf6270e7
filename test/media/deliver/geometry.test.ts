import { describe, it } from '@jest/globals';
import {
  cropAround,
  resizeInside,
  shapeWithin,
} from '../../../src/features/media/media/deliver/rendition-plan.js';
import { fc } from '../../support/properties.js';

const side = fc.integer({ min: 1, max: 10_000 });
const size = fc.record({ width: side, height: side });
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const focus = fc.record({ x: unit, y: unit });

describe('Geometry of a rendition', () => {
  it('never enlarges, and keeps the shape within a pixel', () => {
    fc.assert(
      fc.property(size, size, (source, wanted) => {
        const { width, height } = resizeInside(source, wanted);
        const scale = Math.min(1, wanted.width / source.width, wanted.height / source.height);
        return (
          width >= 1 &&
          height >= 1 &&
          width <= source.width &&
          height <= source.height &&
          Math.abs(width - source.width * scale) <= 1 &&
          Math.abs(height - source.height * scale) <= 1
        );
      }),
    );
  });

  it('keeps the ratio asked for within a pixel, as large as the original allows', () => {
    fc.assert(
      fc.property(size, size, (source, wanted) => {
        const { width, height } = shapeWithin(source, wanted);
        const isWhole = width === wanted.width && height === wanted.height;
        const isLargest = width === source.width || height === source.height;
        const isWithin = width <= source.width && height <= source.height;
        const error = Math.min(
          Math.abs(height - (width * wanted.height) / wanted.width),
          Math.abs(width - (height * wanted.width) / wanted.height),
        );
        return isWithin && (isWhole || isLargest) && error <= 1;
      }),
    );
  });

  it('cuts within the resized picture, and never enlarges it', () => {
    fc.assert(
      fc.property(size, size, focus, fc.constantFrom('fill', 'crop'), (source, wanted, point, fit) => {
        const { resize, extract } = cropAround(source, wanted, { fit, focus: point });
        const isInside =
          extract === undefined ||
          (extract.left >= 0 &&
            extract.top >= 0 &&
            extract.width >= 1 &&
            extract.height >= 1 &&
            extract.left + extract.width <= resize.width &&
            extract.top + extract.height <= resize.height);
        return isInside && resize.width <= source.width && resize.height <= source.height;
      }),
    );
  });
});
