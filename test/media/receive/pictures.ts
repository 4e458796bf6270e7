import sharp, { type Sharp } from 'sharp';

/** Red on the left, blue on the right. */
export function picture(width = 60, height = 40): Sharp {
  const half = {
    create: { width: Math.floor(width / 2), height, channels: 3, background: '#0000ff' },
  } as const;
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: half, left: Math.ceil(width / 2), top: 0 },
  ]);
}

/** As a camera writes it: author, place, orientation. */
export const exif = {
  IFD0: { Artist: 'Ada Example', Make: 'Camera Works', Copyright: 'free' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '47/1 30/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '9/1 0/1 0/1',
  },
};

export const withExif = (image: Sharp, orientation = 1): Sharp => image.withMetadata({ orientation, exif });
