import { useState } from 'react';
import { t } from '../texts/index.js';

/** Copies a text; says so until the text changes. */
export function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<string>();
  // Browsers have it in secure contexts only.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return null;
  return (
    <button
      className="button"
      data-focus
      onClick={() => void clipboard.writeText(text).then(() => setCopied(text))}
      type="button"
    >
      <span aria-live="polite">{copied === text ? t('copy.done') : t('copy.label')}</span>
    </button>
  );
}
