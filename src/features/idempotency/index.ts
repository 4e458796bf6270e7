export { KeptReplyRepository, type KeptReply } from './kept-reply.repository.js';
