import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { notifyFailure } from '../ui/toasts.js';
import { useWindowKey } from '../ui/hooks.js';
import type { PaletteDialog as PaletteDialogType } from './palette-dialog.js';
import { rememberItem } from './recent-items.js';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

const opens = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey) && !shiftKey && !altKey;

/** Ctrl+K, or Command+K; not over another dialog, which is to be decided first. */
function usePaletteKey(isOpen: boolean, toggle: () => void): void {
  useWindowKey((event) => {
    if (!opens(event) || event.defaultPrevented) return;
    event.preventDefault();
    if (isOpen || document.querySelector('dialog[open]') === null) toggle();
  });
}

const opened = /\/(entries|media)\/([^/]+)$/;

/** Keeps which entries and files the user opens, however they come there. */
function useOpenedItems(): void {
  const { slug, environment } = useProject();
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    const [, area, id] = opened.exec(path) ?? [];
    if (id !== undefined)
      rememberItem(slug, environment, { kind: area === 'entries' ? 'entry' : 'asset', id });
  }, [path, slug, environment]);
}

/** The button and the key that open the palette, which is loaded then. */
export function PaletteLauncher() {
  const [Dialog, setDialog] = useState<typeof PaletteDialogType>();
  const [isOpen, setIsOpen] = useState(false);
  useOpenedItems();
  const open = (): void => {
    setIsOpen(true);
    import('./palette-dialog.js').then(
      ({ PaletteDialog }) => setDialog(() => PaletteDialog),
      (error: unknown) => {
        setIsOpen(false);
        notifyFailure(error);
      },
    );
  };
  const close = (): void => setIsOpen(false);
  usePaletteKey(isOpen, isOpen ? close : open);
  return (
    <>
      <button
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={t('palette.title')}
        className="button palette-button"
        onClick={open}
        type="button"
      >
        <Icon name="search" />
        <span className="wide-only">{t('palette.button')}</span>
        <span aria-hidden="true" className="wide-only palette-key" data-key={isMac ? '⌘K' : 'Ctrl+K'} />
      </button>
      {isOpen && Dialog !== undefined && <Dialog onClose={close} />}
    </>
  );
}
