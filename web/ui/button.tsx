import type { ComponentProps, ReactNode } from 'react'

export type ButtonTone = 'accent' | 'plain' | 'quiet' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg' | 'xl'

const shared =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap select-none transition-colors disabled:opacity-55 aria-disabled:opacity-55'

const tones: Record<ButtonTone, string> = {
  accent: 'border-transparent bg-accent text-accent-text not-disabled:hover:bg-accent-hover',
  plain: 'border-line bg-raised text-ink not-disabled:hover:border-line-strong not-disabled:hover:bg-hover',
  quiet:
    'border-transparent bg-transparent text-quiet not-disabled:hover:bg-hover not-disabled:hover:text-ink',
  danger: 'border-transparent bg-danger-fill text-picture-ink not-disabled:hover:bg-danger-fill-hover',
}

/** Heights: at least 44 px on touch screens, 36 or 40 px with a mouse. */
const sizes: Record<ButtonSize, string> = {
  sm: 'h-9 px-3 text-13 pointer-coarse:h-11',
  md: 'h-10 px-4 text-14 pointer-coarse:h-11 pointer-coarse:min-w-11',
  lg: 'h-12 px-6 text-16',
  xl: 'h-13 px-6 text-16',
}

const squares: Record<ButtonSize, string> = {
  sm: 'size-9 pointer-coarse:size-11',
  md: 'size-10 pointer-coarse:size-11',
  lg: 'size-12',
  xl: 'size-13',
}

/** Further classes of a long button, whose text wraps where large text makes it wider than a phone. It needs a minimum height. */
export const wrappingClass = 'h-auto! max-w-full py-1.5 whitespace-normal!'

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(tone: ButtonTone = 'plain', size: ButtonSize = 'md', more = ''): string {
  return `${shared} ${tones[tone]} ${sizes[size]} ${more}`
}

/** Returns the classes of a button that shows only an icon, for links that look like one. */
export function iconButtonClass(tone: ButtonTone = 'quiet', size: ButtonSize = 'md', more = ''): string {
  return `${shared} ${tones[tone]} ${squares[size]} ${more}`
}

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone
  size?: ButtonSize
  /** True while the action runs: the button is disabled and shows a spinner. */
  busy?: boolean
  /** Text while busy, for example 'Saving...'. Default: the normal text. */
  busyText?: string | undefined
}

export function Button({
  tone = 'plain',
  size = 'md',
  busy = false,
  busyText,
  className = '',
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(tone, size, className)}
    >
      {busy && <Spinner />}
      {busy && busyText !== undefined ? busyText : children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The accessible name, also shown as a tooltip. */
  label: string
  tone?: ButtonTone
  size?: ButtonSize
  children: ReactNode
}

/** A button that shows only an icon. */
export function IconButton({
  label,
  tone = 'quiet',
  size = 'md',
  className = '',
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={iconButtonClass(tone, size, className)}
    >
      {children}
    </button>
  )
}

/** An animated spinner without text for screen readers; the text beside it must say what is happening. */
export function Spinner() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 animate-spin"
      fill="none"
      stroke="currentColor"
    >
      <circle cx="8" cy="8" r="6" strokeWidth="2" opacity="0.25" />
      <path d="M8 2a6 6 0 0 1 6 6" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
