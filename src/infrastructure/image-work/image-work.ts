import { sanitizeSvg, type SanitizedDrawing } from '../files/svg/sanitize-svg.js';
import { inspectImage, readImageHeader, type ImageFacts, type ImageHeader } from '../images/inspect-image.js';
import { renderImage, type ImageRecipe } from '../images/render-image.js';

/** Work on one picture, which never runs in the thread that serves requests. */
export interface ImageWork {
  /** @throws DamagedFile */
  render(file: string, recipe: ImageRecipe): Promise<Buffer>;
  /** @throws DamagedFile */
  readHeader(file: string): Promise<ImageHeader>;
  /** @throws DamagedFile */
  inspect(file: string): Promise<ImageFacts>;
  /** @throws DamagedFile, ComplexFile */
  sanitize(file: string): Promise<SanitizedDrawing>;
}

export const imageWork: ImageWork = {
  render: renderImage,
  readHeader: readImageHeader,
  inspect: inspectImage,
  sanitize: sanitizeSvg,
};
