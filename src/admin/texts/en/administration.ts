export const administration = {
  'area.administration': 'Administration',
};
