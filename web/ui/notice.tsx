import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import type { ComponentProps, ReactNode } from 'react'
import type { IconComponent } from './icon.ts'

const tones: Record<'danger' | 'success' | 'info', { edge: string; ink: string; Icon: IconComponent }> = {
  danger: { edge: 'border-danger/45', ink: 'text-danger', Icon: CircleAlert },
  success: { edge: 'border-success/45', ink: 'text-success', Icon: CircleCheck },
  info: { edge: 'border-line', ink: 'text-quiet', Icon: Info },
}

interface NoticeProps extends Omit<ComponentProps<'div'>, 'title' | 'role' | 'tabIndex'> {
  tone: keyof typeof tones
  /** Announced immediately when it appears; for messages the user does not expect. */
  urgent?: boolean
  /** Announced when it appears, after the current speech. */
  polite?: boolean
  title?: ReactNode
}

/** A framed message inside the page: an error, a success or information. It can receive the focus. */
export function Notice({ tone, urgent, polite, title, className = '', children, ...rest }: NoticeProps) {
  const { edge, ink, Icon } = tones[tone]
  return (
    <div
      {...rest}
      tabIndex={-1}
      role={urgent ? 'alert' : polite ? 'status' : undefined}
      className={`flex gap-3 rounded-card border bg-raised px-4 py-3 text-14 ${edge} ${className}`}
    >
      <Icon className={`mt-px size-5 shrink-0 ${ink}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {title !== undefined && <p className="font-medium text-ink">{title}</p>}
        {children}
      </div>
    </div>
  )
}
