export { StoredReplyRepository, type StoredReply } from './stored-reply.repository.js';
