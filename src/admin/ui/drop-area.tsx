import { useState, type ReactNode } from 'react';

interface Props {
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
  /** Instead of `onFiles` where dropped folders mean something. */
  readonly onTransfer?: (transfer: DataTransfer) => void;
  readonly children: ReactNode;
}

/** A part of the screen that files can be dropped on. Offer a button for the same beside it. */
export function DropArea({ label, onFiles, onTransfer, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  return (
    <section
      aria-label={label}
      className={isOver ? 'drop over' : 'drop'}
      onDragLeave={() => setIsOver(false)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        if (onTransfer === undefined) onFiles([...event.dataTransfer.files]);
        else onTransfer(event.dataTransfer);
      }}
    >
      {children}
    </section>
  );
}
