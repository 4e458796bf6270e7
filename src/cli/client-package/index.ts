export {
  createDeliveryClient,
  createManagementClient,
  type DeliveryClient,
  type DeliveryOptions,
  type ManagementClient,
  type Operation,
} from './clients.js';
export { HeadwaterError, type CallOptions, type ClientOptions, type FailureCode } from './service-calls.js';
export type * from './content.js';
export { image, type ImageAttributes, type ImageOptions } from './image.js';
export { livePreview, type LivePreviewOptions, type PreviewChange } from './live-preview.js';
export type { RichTextLink, RichTextMark, RichTextNode } from './rich-text-types.js';
export { verifyWebhook, type WebhookOptions, type WebhookRequest } from './webhook.js';
export type * from './operations.js';
