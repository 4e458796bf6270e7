export type { MediaServices } from './media-services.js';
export { openMedia, type MediaOptions } from './open-media.js';
