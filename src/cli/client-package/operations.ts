import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../procedures/index.js';

// In the package, generated declarations of the same names are in the place of this file.
export type { AppRouter };
export type { ErrorCode } from '../../../contracts/error-codes.js';
/** What each operation takes, by group and name. */
export type Inputs = inferRouterInputs<AppRouter>;
/** What each operation returns, by group and name. */
export type Outputs = inferRouterOutputs<AppRouter>;
/** Operations that send or return files or plain text instead of JSON, such as `media.upload`. */
export type FileOperation = never;
