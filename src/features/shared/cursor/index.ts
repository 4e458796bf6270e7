export type { Position } from './cursor.js';
export { afterSql, orderSql, positionSql, type Keyset } from './keyset.js';
export {
  cursorList,
  ListWalk,
  openPage,
  walkedPage,
  type ListedPage,
  type ListWindow,
  type Walk,
} from './list-page.js';
