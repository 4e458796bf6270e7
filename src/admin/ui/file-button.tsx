import { useRef, type ReactNode } from 'react';

interface Props {
  /** What the files are for; said by screen readers of the input. */
  readonly inputLabel: string;
  readonly accept?: string;
  readonly isMultiple?: boolean;
  /** A folder is chosen, with all files in it. */
  readonly isFolder?: boolean;
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** Content of the button. */
  readonly children: ReactNode;
}

/** Lets the user choose files; the same file can be chosen again. */
export function FileButton(props: Props) {
  const { inputLabel, accept, isMultiple = false, isFolder = false, onFiles } = props;
  const { isPrimary = false, isDisabled = false } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        className={isPrimary ? 'button primary' : 'button'}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
        type="button"
      >
        {props.children}
      </button>
      <input
        accept={accept}
        aria-label={inputLabel}
        hidden
        multiple={isMultiple}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
        ref={input}
        type="file"
        {...(isFolder && { webkitdirectory: '' })}
      />
    </>
  );
}
