export { PromotionWork } from './promotion-work.js';
