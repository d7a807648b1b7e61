import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { setMotion, useMotion } from '../../ui/motion.ts'
import { setTheme, useTheme } from '../../ui/theme.tsx'
import { confirmAdult, useAdultConsent, withdrawAdult } from '../adult/consent.ts'
import { rememberedOrientation } from '../listing/orientation-memory.ts'
import { OrientationSelect } from '../listing/orientation-select.tsx'
import { ShortcutsDialog, SingleKeysSwitch } from '../shell/shortcuts-dialog.tsx'
import { Group, Section } from './section.tsx'
import { ThemePicture } from './theme-picture.tsx'

const themes = [
  {
    value: 'system',
    label: 'System',
    hint: 'Follows your device setting.',
    picture: <ThemePicture themes={['dark', 'light']} />,
  },
  { value: 'dark', label: 'Dark', hint: 'Best for watching.', picture: <ThemePicture themes={['dark']} /> },
  {
    value: 'light',
    label: 'Light',
    hint: 'Best in bright rooms.',
    picture: <ThemePicture themes={['light']} />,
  },
] as const

const motions = [
  { value: 'system', label: 'System', hint: 'Follows your device setting.' },
  { value: 'reduce', label: 'Reduced', hint: 'Turns off animations.' },
] as const

/** How the site looks on this device; nothing of it leaves the device. */
export function AppearanceSection() {
  return (
    <Section title="Appearance" lead="Choose how Reelmark looks on this device. Changes save automatically.">
      <Group title="Theme">
        <ChoiceCards
          label="Theme"
          name="settings-theme"
          choices={themes}
          value={useTheme()}
          onChange={setTheme}
          className="sm:grid-cols-3"
        />
      </Group>
      <Group title="Motion">
        <ChoiceCards
          label="Motion"
          name="settings-motion"
          choices={motions}
          value={useMotion()}
          onChange={setMotion}
          className="sm:grid-cols-2"
        />
      </Group>
      <AdultGroup />
      <FilterGroup />
      <KeyboardGroup />
    </Section>
  )
}

function AdultGroup() {
  const isAdult = useAdultConsent()
  return (
    <Group
      title="Adult content"
      badge={<Badge tone={isAdult ? 'accent' : 'quiet'}>{isAdult ? 'Visible' : 'Hidden'}</Badge>}
      lead={
        <p aria-live="polite">
          {isAdult
            ? "You've confirmed you're 18 or older on this device. Adult content is visible."
            : "Adult content is hidden until you confirm you're 18 or older."}
        </p>
      }
      action={
        <Button onClick={isAdult ? withdrawAdult : confirmAdult}>
          {isAdult ? 'Cover them again' : 'I am 18 or older, show them'}
        </Button>
      }
    />
  )
}

function FilterGroup() {
  const [filter, setFilter] = useState(rememberedOrientation)
  return (
    <Group title="Default filter" lead="Applied to Explore and profiles on this device.">
      <OrientationSelect className="max-w-64" value={filter} onChange={setFilter} />
    </Group>
  )
}

function KeyboardGroup() {
  const [open, setOpen] = useState(false)
  return (
    <Group
      title="Keyboard"
      action={
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Show all shortcuts
        </Button>
      }
    >
      <SingleKeysSwitch />
      <ShortcutsDialog open={open} onClose={() => setOpen(false)} />
    </Group>
  )
}
