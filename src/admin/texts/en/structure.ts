export const structure = {
  'area.structure': 'Structure',
};
