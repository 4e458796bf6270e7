import { account, type Table } from './row.js';

export const notifications: Table<'notifications'> = {
  list: { access: account, example: () => Promise.resolve({}) },
  markRead: { access: account, example: () => Promise.resolve({ all: true }) },
  getSettings: { access: account, example: () => Promise.resolve({}) },
  updateSettings: { access: account, example: () => Promise.resolve({ mail: { mentioned: 'immediately' } }) },
};
