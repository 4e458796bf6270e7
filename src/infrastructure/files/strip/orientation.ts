/** EXIF with one tag, the orientation, so that a picture stays upright without its other metadata. */
export function orientationExif(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write('II', 0, 'latin1');
  exif.writeUInt16LE(42, 2);
  exif.writeUInt32LE(8, 4);
  exif.writeUInt16LE(1, 8);
  // Tag, type SHORT, count 1, value; offset 0 ends the list.
  exif.writeUInt16LE(0x0112, 10);
  exif.writeUInt16LE(3, 12);
  exif.writeUInt32LE(1, 14);
  exif.writeUInt16LE(orientation, 18);
  return exif;
}

export const isTurned = (orientation: number | undefined): orientation is number =>
  orientation !== undefined && orientation >= 2 && orientation <= 8;
