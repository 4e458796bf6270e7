export const insight = {
  'area.insight': 'Insight',
};
