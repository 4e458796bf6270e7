/** SQL condition: the row `p` is kept for the promotion. */
export const keptRows = 'p.tenant_id = $1 AND p.promotion_id = $2';
