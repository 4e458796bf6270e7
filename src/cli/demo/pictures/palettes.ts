/** Colours of a scene by time. */
export const palettes = {
  morning: { sky: ['#fde4c8', '#f7f1e3'], hills: ['#c9d3c0', '#93a98d'], water: '#a9c3c7', light: '#f6b26b' },
  day: { sky: ['#bfe0ee', '#eef6f2'], hills: ['#b9d0a8', '#6f9566'], water: '#7fb0bd', light: '#fff3b8' },
  evening: { sky: ['#e8b4a0', '#f6d9b8'], hills: ['#9a8fa3', '#5f6484'], water: '#7c86a6', light: '#f28f5b' },
  winter: { sky: ['#cfd8e3', '#f4f7fa'], hills: ['#e6ebef', '#b9c6d1'], water: '#d9e4ea', light: '#ffffff' },
  night: { sky: ['#1d2b45', '#3d4f72'], hills: ['#2f3d55', '#1c2638'], water: '#27415c', light: '#f3efd2' },
} as const;
export type Palette = (typeof palettes)[keyof typeof palettes];
