import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { IconComponent } from '../../../ui/icon.ts'
import { pluralise } from '../../../ui/pluralise.ts'

interface SelectionBarProps {
  count: number
  /** The name of an item: 'bookmark'. */
  noun: string
  busy: boolean
  onClear: () => void
  /** Shown next to the count. */
  secondary?: ReactNode
  /** The actions, as `BarAction` elements. */
  children: ReactNode
}

/**
 * Shows the number of selected items and the actions on them. It sticks to the bottom of the window and has its own
 * space at the end of the list, so that it never covers the last item. Toasts appear above it (ui/base.css).
 */
export function SelectionBar({ count, noun, busy, onClear, secondary, children }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      aria-busy={busy}
      className="bottom-bar sticky bottom-(--navigation-bar) z-30 -mx-(--gutter) mt-8 border-t border-line bg-raised px-(--gutter) pt-2 pb-[max(8px,env(safe-area-inset-bottom))] rounded-t-card sm:bottom-[calc(var(--navigation-bar)+16px)] sm:mx-0 sm:rounded-card sm:border sm:px-4 lg:flex lg:flex-wrap lg:items-center lg:gap-x-2 lg:py-2"
    >
      <div className="flex min-h-11 min-w-0 flex-1 items-center gap-1 lg:flex-[1_0_auto]">
        <p role="status" className="text-14 font-medium text-ink tabular-nums">
          {pluralise(count, noun)} selected
          {count === limits.bulkMax && <span className="text-quiet"> (maximum)</span>}
        </p>
        <Button
          tone="quiet"
          size="sm"
          disabled={count === 0 || busy}
          className={count === 0 ? 'max-lg:hidden' : ''}
          onClick={onClear}
        >
          Deselect all
        </Button>
        {secondary !== undefined && <div className="ml-auto lg:ml-0">{secondary}</div>}
      </div>
      {/* On small screens they would cover the list although nothing is selected. */}
      <div className={`flex gap-1 max-lg:mt-1 lg:flex-wrap ${count === 0 ? 'max-lg:hidden' : ''}`}>
        {children}
      </div>
    </section>
  )
}

interface BarActionProps extends ComponentProps<typeof Button> {
  Icon: IconComponent
  /** Shown below the icon on phones, where there is only space for one word. */
  short: string
  children: string
}

export function BarAction({ Icon, short, children, className = '', ...rest }: BarActionProps) {
  return (
    <Button
      {...rest}
      className={`max-lg:h-14! max-lg:min-w-0 max-lg:flex-1 max-lg:flex-col max-lg:gap-1 max-lg:border-transparent max-lg:bg-transparent max-lg:px-0! max-lg:text-12! ${className}`}
    >
      <Icon className="size-4 max-lg:size-5" />
      <span className="lg:hidden">{short}</span>
      <span className="max-lg:hidden">{children}</span>
    </Button>
  )
}
