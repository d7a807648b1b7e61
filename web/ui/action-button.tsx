import type { ComponentProps, ReactNode } from 'react'

interface ActionButtonProps extends ComponentProps<'button'> {
  icon: ReactNode
  /** Whether the action is active: shows the accent colour and a filled icon. The text must say it too. */
  isOn?: boolean
}

/** A button in a row of actions without boxes: its icon is above the text on phones, otherwise beside it. */
export function ActionButton({ icon, isOn = false, className = '', children, ...rest }: ActionButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`action-button ${isOn ? 'text-accent-ink [&_svg]:fill-current' : 'text-ink'} ${className}`}
    >
      {icon}
      <span>{children}</span>
    </button>
  )
}
