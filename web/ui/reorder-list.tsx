import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'

interface Item {
  id: number
  name: string
}

interface ReorderListProps<I extends Item> {
  label: string
  items: readonly I[]
  onChange: (items: I[]) => void
}

type Step = -1 | 1

/**
 * A list that can be reordered by dragging the grip, by mouse or touch, or with buttons, also by keyboard. Each move is
 * announced to screen readers.
 */
export function ReorderList<I extends Item>({ label, items, onChange }: ReorderListProps<I>) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const pressed = useRef<{ id: number; step: Step } | null>(null)

  // Moving a row in the document removes the focus inside it, so it is restored.
  useLayoutEffect(() => {
    if (pressed.current === null) return
    const { id, step } = pressed.current
    pressed.current = null
    list.current?.querySelector<HTMLElement>(`[data-move="${id} ${step}"]`)?.focus()
  })

  function move(id: number, to: number): void {
    const from = items.findIndex((item) => item.id === id)
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length || to === from) return
    const others = items.filter((other) => other.id !== id)
    onChange([...others.slice(0, to), item, ...others.slice(to)])
    setAnnouncement(`${item.name}, ${to + 1} of ${items.length}`)
  }

  function follow(event: PointerEvent): void {
    if (dragged === null || list.current === null) return
    const others = [...list.current.children].filter((row) => row.getAttribute('data-id') !== String(dragged))
    const above = others.filter((row) => {
      const { top, height } = row.getBoundingClientRect()
      return top + height / 2 < event.clientY
    })
    move(dragged, above.length)
    list.current.querySelector(`[data-id="${dragged}"]`)?.scrollIntoView({ block: 'nearest' })
  }

  const drop = () => setDragged(null)
  return (
    <>
      <ol
        ref={list}
        aria-label={label}
        className="flex flex-col gap-1"
        onPointerMove={follow}
        onPointerUp={drop}
        onPointerCancel={drop}
      >
        {items.map(({ id, name }, index) => (
          <li
            key={id}
            data-id={id}
            className={`flex items-center gap-1 rounded-control border bg-raised pr-1 ${dragged === id ? 'border-accent-ink' : 'border-line'}`}
          >
            <span
              aria-hidden="true"
              className="flex h-11 w-9 shrink-0 cursor-grab touch-none items-center justify-center text-quiet active:cursor-grabbing"
              onPointerDown={(event) => {
                if (event.button !== 0) return
                event.preventDefault()
                // The list captures the pointer, because moving the row in the document would end its capture.
                list.current?.setPointerCapture(event.pointerId)
                setDragged(id)
              }}
            >
              <GripVertical className="size-4" />
            </span>
            <span className="min-w-0 flex-1 truncate text-14 text-ink">{name}</span>
            {([-1, 1] as const).map((step) => {
              const isEnd = step === -1 ? index === 0 : index === items.length - 1
              const Arrow = step === -1 ? ArrowUp : ArrowDown
              return (
                <IconButton
                  key={step}
                  size="sm"
                  label={`Move ${name} ${step === -1 ? 'up' : 'down'}`}
                  data-move={`${id} ${step}`}
                  // Not `disabled`, which would remove the focus when a row reaches the end.
                  aria-disabled={isEnd || undefined}
                  onClick={() => {
                    pressed.current = { id, step }
                    move(id, index + step)
                  }}
                >
                  <Arrow className="size-4" />
                </IconButton>
              )
            })}
          </li>
        ))}
      </ol>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  )
}
