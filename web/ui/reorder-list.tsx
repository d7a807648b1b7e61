import {
  type Announcements,
  closestCenter,
  DndContext,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import X from 'lucide-react/icons/x'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from './button.tsx'
import { focusBeyond } from './focus-beyond.ts'

interface Item {
  id: number
  name: string
}

interface ReorderListProps<I extends Item> {
  label: string
  items: readonly I[]
  /** Called with the new order, the moved item and its index in it. */
  onChange: (items: I[], moved: I, index: number) => void
  /** Shown before the name. */
  renderPicture?: (item: I) => ReactNode
  /** Shown after the buttons that move an item by one. */
  renderActions?: (item: I, index: number) => ReactNode
  /** Called by a button on each item. */
  onRemove?: (item: I) => void
}

const instructions =
  'Press Enter or Space to pick up the item. While dragging, use the arrow keys to move it. Press Enter or Space again to ' +
  'drop it, or Escape to cancel.'

/** An item that was picked up by keyboard, and where it would be dropped. */
interface Held {
  id: number
  to: number
}

/** Returns the items with one of them moved. An item that is not among them moves nothing. */
function withMoved<I extends Item>(items: readonly I[], { id, to }: Held): I[] {
  const others = items.filter((other) => other.id !== id)
  const item = items.find((other) => other.id === id)
  return item === undefined ? others : [...others.slice(0, to), item, ...others.slice(to)]
}

/**
 * A list that can be reordered by dragging the grip, by mouse, touch or keyboard, or with buttons. Each move is announced to
 * screen readers.
 */
export function ReorderList<I extends Item>({
  label,
  items,
  onChange,
  renderPicture,
  renderActions,
  onRemove,
}: ReorderListProps<I>) {
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  /** The `data-move` of the button that moved its row. */
  const pressed = useRef<string | null>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const shown = held === null ? items : withMoved(items, held)

  // Moving a row in the document removes the focus inside it, so it is restored.
  useLayoutEffect(() => {
    if (pressed.current === null) return
    const button = list.current?.querySelector<HTMLElement>(`[data-move="${pressed.current}"]`)
    pressed.current = null
    button?.focus()
    button?.scrollIntoView?.({ block: 'nearest' })
  })

  function move(id: number, to: number): void {
    const from = items.findIndex((item) => item.id === id)
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length || to === from) return
    onChange(withMoved(items, { id, to }), item, to)
    setAnnouncement(`${item.name}, ${to + 1} of ${items.length}`)
  }

  /**
   * Picks up an item, moves and drops it by keyboard. The keyboard sensor of the library measures rows between two keys and
   * loses keys that come faster. Here each key renders the list at once, so that the next one finds its effect.
   */
  function onGripKeyDown(event: KeyboardEvent, { id, name }: Item): void {
    const { key } = event
    const isPickOrDrop = key === ' ' || key === 'Enter'
    const isHeld = held?.id === id
    if (!isPickOrDrop && !(isHeld && ['ArrowUp', 'ArrowDown', 'Escape'].includes(key))) return
    event.preventDefault()
    const at = (index: number) => `${name}, ${index + 1} of ${items.length}`
    flushSync(() => {
      if (!isHeld) {
        const to = items.findIndex((item) => item.id === id)
        setHeld({ id, to })
        setAnnouncement(`Picked up ${at(to)}`)
      } else if (isPickOrDrop) {
        setHeld(null)
        move(id, held.to)
        setAnnouncement(`Dropped ${at(held.to)}`)
      } else if (key === 'Escape') {
        release()
      } else {
        const to = held.to + (key === 'ArrowUp' ? -1 : 1)
        if (to < 0 || to >= items.length) return
        setHeld({ id, to })
        setAnnouncement(at(to))
      }
      pressed.current = `${id} drag`
    })
  }

  /** Returns the item that was picked up by keyboard to its place. */
  function release(): void {
    if (held === null) return
    setHeld(null)
    setAnnouncement(`${items.find(({ id }) => id === held.id)?.name} was not moved`)
  }

  function remove(item: I, index: number): void {
    // The list disappears with its last item.
    if (items.length === 1) focusBeyond(list.current)
    flushSync(() => {
      onRemove?.(item)
      setAnnouncement(`${item.name} removed`)
    })
    // The pressed button is gone. That of the next item takes the focus, or of the last one.
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const next = buttons[index] ?? buttons.at(-1)
    next?.focus()
  }

  const overId = useRef<UniqueIdentifier | null>(null)
  const sensors = useSensors(useSensor(PointerSensor))
  const indexOf = (id: UniqueIdentifier) => items.findIndex((item) => item.id === id)
  const describe = (id: UniqueIdentifier, over: UniqueIdentifier = id) =>
    `${items[indexOf(id)]?.name}, ${indexOf(over) + 1} of ${items.length}`
  const announcements: Announcements = {
    onDragStart({ active }) {
      overId.current = active.id
      return `Picked up ${describe(active.id)}`
    },
    onDragOver({ active, over }) {
      // Also called at the start, when nothing has moved yet.
      if (over === null || over.id === overId.current) return undefined
      overId.current = over.id
      return describe(active.id, over.id)
    },
    onDragEnd: ({ active, over }) => `Dropped ${describe(active.id, over?.id)}`,
    onDragCancel: ({ active }) => `${items[indexOf(active.id)]?.name} was not moved`,
  }

  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements, screenReaderInstructions: { draggable: instructions } }}
        onDragStart={release}
        onDragEnd={({ active, over }) => {
          if (over !== null) move(Number(active.id), indexOf(over.id))
        }}
      >
        <SortableContext items={[...shown]} strategy={verticalListSortingStrategy}>
          <ol ref={list} aria-label={label} className="flex flex-col gap-1">
            {shown.map((item, index) => (
              <Row
                key={item.id}
                item={item}
                isHeld={item.id === held?.id}
                onKeyDown={(event) => onGripKeyDown(event, item)}
                onBlur={release}
              >
                {renderPicture?.(item)}
                <span className="line-clamp-2 min-w-0 flex-1 text-14 wrap-anywhere text-ink">
                  {item.name}
                </span>
                {([-1, 1] as const).map((step) => {
                  const isEnd = step === -1 ? index === 0 : index === items.length - 1
                  const Arrow = step === -1 ? ArrowUp : ArrowDown
                  return (
                    <IconButton
                      key={step}
                      size="sm"
                      // On phones, other actions need the space, and they move items too.
                      {...(renderActions && { className: 'max-sm:hidden' })}
                      label={`Move ${item.name} ${step === -1 ? 'up' : 'down'}`}
                      data-move={`${item.id} ${step}`}
                      // Not `disabled`, which would remove the focus when a row reaches the end.
                      aria-disabled={isEnd || undefined}
                      onClick={() => {
                        pressed.current = `${item.id} ${step}`
                        move(item.id, index + step)
                      }}
                    >
                      <Arrow className="size-4" />
                    </IconButton>
                  )
                })}
                {renderActions?.(item, index)}
                {onRemove !== undefined && (
                  <IconButton
                    size="sm"
                    label={`Remove ${item.name}`}
                    data-remove=""
                    onClick={() => remove(item, index)}
                  >
                    <X className="size-4" />
                  </IconButton>
                )}
              </Row>
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  )
}

interface RowProps extends Pick<ComponentProps<'button'>, 'onKeyDown' | 'onBlur'> {
  item: Item
  /** Whether it was picked up by keyboard. */
  isHeld: boolean
  children: ReactNode
}

function Row({ item: { id, name }, isHeld, onKeyDown, onBlur, children }: RowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id })
  return (
    <li
      ref={setNodeRef}
      data-id={id}
      style={{ transform: transform === null ? undefined : `translate(0, ${transform.y}px)`, transition }}
      className={`flex items-center gap-1 rounded-control border bg-raised pr-1 ${isDragging || isHeld ? 'relative z-10 border-accent-ink' : 'border-line'}`}
    >
      <button
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        type="button"
        aria-label={`Drag ${name}`}
        aria-pressed={isDragging || isHeld || undefined}
        data-move={`${id} drag`}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        className="flex h-11 w-9 shrink-0 cursor-grab touch-none items-center justify-center rounded-control text-quiet active:cursor-grabbing"
      >
        <GripVertical className="size-4" />
      </button>
      {children}
    </li>
  )
}
