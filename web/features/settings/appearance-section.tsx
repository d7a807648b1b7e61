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
    hint: 'Follows your device.',
    picture: <ThemePicture themes={['dark', 'light']} />,
  },
  { value: 'dark', label: 'Dark', hint: 'The pictures glow.', picture: <ThemePicture themes={['dark']} /> },
  { value: 'light', label: 'Light', hint: 'For bright rooms.', picture: <ThemePicture themes={['light']} /> },
] as const

const motions = [
  { value: 'system', label: 'As the system says', hint: 'Moves unless your device asks for less.' },
  { value: 'reduce', label: 'Reduce', hint: 'Nothing slides, grows or fades here.' },
] as const

/** How the site looks on this device; nothing of it leaves the device. */
export function AppearanceSection() {
  return (
    <Section title="Appearance" lead="How Reelmark looks on this device. Each choice counts at once.">
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
      badge={<Badge tone={isAdult ? 'accent' : 'quiet'}>{isAdult ? 'Shown' : 'Covered'}</Badge>}
      lead={
        <p aria-live="polite">
          {isAdult
            ? 'You said on this device that you are 18 or older: pictures and players of adult content are shown.'
            : 'Pictures and players of adult content are covered until you say that you are 18 or older.'}
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
    <Group title="What lists show" lead="Explore and profiles start with this filter on this device.">
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
