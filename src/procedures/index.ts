export { appRouter, type AppRouter } from './app-router.js';
export { boundOperations, type BoundOperation } from './bound-operations.js';
export type { Call, OperationScope } from './call.js';
export { DeliveryCallers, type DeliveryCaller, type DeliverySurface } from './delivery-callers.js';
export { admit, assertEntrance, CallContext } from './gate.js';
export { mapped } from './failures.js';
export { deliveryRead } from './run.js';
export type { RateDefaults, RateServices, RateState } from './rate-state.js';
export type { Services } from './services.js';
