import RectangleHorizontal from 'lucide-react/icons/rectangle-horizontal'
import { useSyncExternalStore } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { createListeners } from '../../../ui/create-listeners.ts'
import { writeLocalStorage } from '../../../ui/local-storage.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'

const { subscribe, notify } = createListeners()
// features/shell/theme-script.ts sets it before the first paint.
const isOn = () => document.documentElement.dataset.theatre !== undefined

function toggle(): void {
  const turnOn = !isOn()
  if (turnOn) document.documentElement.dataset.theatre = ''
  else delete document.documentElement.dataset.theatre
  writeLocalStorage('theatre', turnOn ? 'on' : null)
  notify()
}

/** A button that gives the player the whole width, remembered on this device. Narrow windows always do. */
export function TheatreButton() {
  const isPressed = useSyncExternalStore(subscribe, isOn, () => false)
  useShortcuts({ t: toggle })
  return (
    <IconButton
      label="Theatre mode"
      aria-pressed={isPressed}
      aria-keyshortcuts="t"
      className={`max-[1199px]:hidden ${isPressed ? 'text-accent-ink!' : ''}`}
      onClick={toggle}
    >
      <RectangleHorizontal className="size-5" />
    </IconButton>
  )
}
