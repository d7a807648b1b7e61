import { Fragment } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { setSingleKeyShortcuts, useSingleKeyShortcuts } from '../../ui/shortcuts.ts'
import { Switch } from '../../ui/switch.tsx'

export interface ShortcutsDialogProps {
  open: boolean
  onClose: () => void
}

/** Keys pressed in sequence (`then`) or as alternatives (`or`), and what they do. */
interface Shortcut {
  keys: readonly string[]
  between: 'then' | 'or'
  effect: string
}

const singleKey = (key: string, effect: string): Shortcut => ({ keys: [key], between: 'or', effect })
const eitherKey = (keys: readonly string[], effect: string): Shortcut => ({ keys, between: 'or', effect })
const goToKey = (key: string, effect: string): Shortcut => ({ keys: ['g', key], between: 'then', effect })

const groups: readonly { title: string; forModerators?: true; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      singleKey('/', 'Search or paste a link'),
      goToKey('h', 'Home'),
      goToKey('e', 'Explore'),
      goToKey('l', 'Your library'),
      goToKey('p', 'Your profile'),
      singleKey('n', 'Add Bookmark'),
      singleKey('?', 'All shortcuts'),
    ],
  },
  {
    title: 'In a grid of bookmarks',
    shortcuts: [
      singleKey('j', 'Next'),
      singleKey('k', 'Previous'),
      eitherKey(['←', '→', '↑', '↓'], 'Move in the grid'),
      singleKey('Enter', 'Open'),
    ],
  },
  {
    title: 'On a bookmark or card',
    shortcuts: [singleKey('l', 'Like'), singleKey('c', 'Collect'), singleKey('w', 'Watch later')],
  },
  {
    title: 'On a card of your own',
    shortcuts: [singleKey('e', 'Edit'), singleKey('m', 'Move'), singleKey('x', 'Select')],
  },
  {
    title: 'Moderation queue',
    forModerators: true,
    shortcuts: [
      eitherKey(['j', 'k'], 'Next / previous case'),
      singleKey('d', 'Remove'),
      singleKey('v', 'Keep'),
      singleKey('e', 'Edit'),
      singleKey('o', 'Set orientation'),
      singleKey('w', 'Warn'),
      singleKey('s', 'Suspend'),
      singleKey('b', 'Ban'),
      singleKey('x', 'Select'),
    ],
  },
  {
    title: 'While playing',
    shortcuts: [
      singleKey('Space', 'Play or pause, if the player allows it'),
      eitherKey(['n', 'Shift N'], 'Next video of the list'),
      eitherKey(['p', 'Shift P'], 'Previous video of the list'),
      singleKey('t', 'Theatre mode'),
      singleKey('f', 'Full screen'),
      singleKey('i', 'Back from the mini-player to the video'),
    ],
  },
]

/** Lists all keyboard shortcuts, with a switch that turns single-key shortcuts off. */
export function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps) {
  const { isModerator } = useSession()
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {groups
          .filter(({ forModerators }) => isModerator || !forModerators)
          .map(({ title, shortcuts }) => (
            <section key={title} className="flex flex-col gap-1 first:row-span-2">
              <h3 className="mb-1 text-14 font-semibold text-ink">{title}</h3>
              <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 text-14">
                {shortcuts.map((shortcut) => (
                  <Fragment key={shortcut.effect}>
                    <dt className="text-quiet">{shortcut.effect}</dt>
                    <dd className="flex items-center justify-end gap-1.5">
                      <Keys {...shortcut} />
                    </dd>
                  </Fragment>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <SingleKeysSwitch className="mt-5 border-t border-line pt-4" />
    </Dialog>
  )
}

function Keys({ keys, between }: Shortcut) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && (
        <span className={between === 'or' ? 'sr-only' : 'text-12 text-quiet'}>{` ${between} `}</span>
      )}
      <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-chip border border-line-strong bg-sunken px-1.5 font-sans text-12 font-medium text-ink">
        {key}
      </kbd>
    </Fragment>
  ))
}

/** Turns single-key shortcuts on or off on this device. */
export function SingleKeysSwitch({ className = '' }: { className?: string }) {
  return (
    <Switch
      label="Single-key shortcuts"
      hint="Turn off if you use voice control or press keys by accident. Arrow keys still work."
      checked={useSingleKeyShortcuts()}
      onChange={(event) => setSingleKeyShortcuts(event.target.checked)}
      className={className}
    />
  )
}
