// In the package, generated declarations of the same names are in the place of this file.
export type { AppRouter } from '../../procedures/index.js';
export type { ErrorCode } from '../../../contracts/error-codes.js';
export type { DeliveryMedia } from '../../../contracts/media/media/media-asset.js';
/** What each operation takes and returns, by group and name. */
export type { Inputs, Outputs } from '../client/rest-operations.js';
/** Operations that send or return files or plain text instead of JSON, such as `media.upload`. */
export type FileOperation = never;
