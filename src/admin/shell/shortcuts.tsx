import { useState } from 'react';
import { t, type TextKey } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { useWindowKey } from '../ui/use-window-key.js';

const control = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const shortcuts: readonly (readonly [keys: string, text: TextKey])[] = [
  ['?', 'shortcuts.help'],
  [`${control} + K`, 'shortcuts.palette'],
  [`${control} + S`, 'shortcuts.save'],
  [`${control} + Z`, 'shortcuts.undo'],
  [`${control} + Enter`, 'shortcuts.comment'],
  ['Alt + ↑ ↓ ← →', 'shortcuts.tree'],
  ['Esc', 'shortcuts.close'],
];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** "?" lists what the keyboard does, unless something is typed or a dialog is open. */
export function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false);
  useWindowKey((event) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') === null) setIsOpen(true);
  });
  if (!isOpen) return null;
  return (
    <Dialog onClose={() => setIsOpen(false)} title={t('shortcuts.title')}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, text]) => (
          <div className="row" key={text}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd className="grow">{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
