import type { ComponentProps, ReactNode } from 'react'

interface ActionButtonProps extends ComponentProps<'button'> {
  icon: ReactNode
  /** Whether the action is active: shows the accent colour and a filled icon. The text must say it too. */
  isOn?: boolean
}

/** A button in a row of actions: an icon above its text, at least 44 px high for touch. */
export function ActionButton({ icon, isOn = false, className = '', children, ...rest }: ActionButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`flex min-h-14 min-w-0 flex-col items-center justify-center gap-1 rounded-control border border-line bg-raised px-1 py-1.5 text-12 font-medium transition-colors select-none not-disabled:hover:border-line-strong not-disabled:hover:bg-hover disabled:opacity-55 [&_svg]:size-5 ${isOn ? 'text-accent-ink [&_svg]:fill-current' : 'text-ink'} ${className}`}
    >
      {icon}
      <span>{children}</span>
    </button>
  )
}
