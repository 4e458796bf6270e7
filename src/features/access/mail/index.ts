export { MailWork, type MailServices } from './mail-work.js';
export { MailRepository, queueMail } from './mail.repository.js';
