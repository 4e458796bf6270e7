import { useWindowKey } from '../ui/use-window-key.js';

/** Ctrl+S, or Command+S. */
export const isSaveKey = ({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>) =>
  key === 's' && (ctrlKey || metaKey);

/** Saves by keyboard unless a dialog is open. */
export function useSaveKey(save: () => void): void {
  useWindowKey((event) => {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    if (document.querySelector('dialog[open]') === null) save();
  });
}
