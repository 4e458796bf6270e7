export { notifyOfDisabled, notifyOfEvents } from './event-notices.js';
export { NotificationWork } from './notification-work.js';
