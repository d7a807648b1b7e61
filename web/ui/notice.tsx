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
  /** Said aloud as soon as it appears; for what the person did not see coming. */
  urgent?: boolean
  /** Said aloud when it appears, after what is being said. */
  polite?: boolean
  title?: ReactNode
}

/** A framed message inside the page: what went wrong, what worked, what is good to know. Can be given the focus. */
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
