export { appRouter, graphqlRouter, type AppRouter } from './app-router.js';
export { boundOperations, type BoundOperation } from './bound-operations.js';
export type { AdmissionRequest, Call, IdempotentCall, IdentifiedCaller, OperationScope } from './call.js';
export { admit, assertProjectAccess } from './admission.js';
export { asRequester, asUser } from './present-principal.js';
export { callsOfRequester } from './requester-calls.js';
export { admitFileReader, peekFileReader } from './file-access.js';
export { counted } from './admission.js';
export { AuthorizationServer, issuerOf } from './authorization-server.js';
export { CallContext } from './call-context.js';
export { KeyCredentials } from './key-credentials.js';
export { PublishedReaders, type DeliverySurface } from './file-access.js';
export { idempotentCall } from './run-once.js';
export { rehearsedReply, type RehearsedReply } from './confirm.js';
export { mapDatabaseErrors } from './failures.js';
export { deliveryRead, documentsOf, routesOf } from './delivery-read.js';
export { enterFuture, type FutureInput } from './future-read.js';
export { mediaOf, previewInto } from './preview-read.js';
export type {
  PublishedReads,
  RateDefaults,
  RateServices,
  RateState,
  Retention,
  Services,
} from './services.js';
