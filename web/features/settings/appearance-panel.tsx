import { useState } from 'react'
import { giveAdultConsent, useAdultConsent, withdrawAdultConsent } from '../../shared/adult/adult-consent.ts'
import { readLastOrientation } from '../../shared/orientation/orientation-memory.ts'
import { OrientationSelect } from '../../shared/orientation/orientation-select.tsx'
import { SettingsGroup, SettingsPanel } from '../../shared/pages/settings-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { setMotion, useMotion } from '../../ui/motion.ts'
import { setTheme, useTheme } from '../../ui/theme.tsx'
import { ShortcutsDialog, SingleKeysSwitch } from '../shell/public-api.ts'
import { ThemePreview } from './theme-preview.tsx'

const themes = [
  {
    value: 'system',
    label: 'System',
    hint: 'Follows your device setting.',
    picture: <ThemePreview themes={['dark', 'light']} />,
  },
  { value: 'dark', label: 'Dark', hint: 'Best for watching.', picture: <ThemePreview themes={['dark']} /> },
  {
    value: 'light',
    label: 'Light',
    hint: 'Best in bright rooms.',
    picture: <ThemePreview themes={['light']} />,
  },
] as const

const motions = [
  { value: 'system', label: 'System', hint: 'Follows your device setting.' },
  { value: 'reduce', label: 'Reduced', hint: 'Turns off animations.' },
] as const

/** Appearance settings. They are stored on this device only. */
export function AppearancePanel() {
  return (
    <SettingsPanel
      title="Appearance"
      lead="Choose how Reelmark looks on this device. Changes save automatically."
    >
      <SettingsGroup title="Theme">
        <ChoiceCards
          label="Theme"
          name="settings-theme"
          choices={themes}
          value={useTheme()}
          onChange={setTheme}
          className="sm:grid-cols-3"
        />
      </SettingsGroup>
      <SettingsGroup title="Motion">
        <ChoiceCards
          label="Motion"
          name="settings-motion"
          choices={motions}
          value={useMotion()}
          onChange={setMotion}
          className="sm:grid-cols-2"
        />
      </SettingsGroup>
      <AdultGroup />
      <FilterGroup />
      <KeyboardGroup />
    </SettingsPanel>
  )
}

function AdultGroup() {
  const isAdult = useAdultConsent()
  return (
    <SettingsGroup
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
        <Button onClick={isAdult ? withdrawAdultConsent : giveAdultConsent}>
          {isAdult ? 'Hide adult thumbnails' : "I'm 18+. Show them"}
        </Button>
      }
    />
  )
}

function FilterGroup() {
  const [filter, setFilter] = useState(readLastOrientation)
  return (
    <SettingsGroup title="Default filter" lead="Applied to Explore and profiles on this device.">
      <OrientationSelect className="max-w-64" value={filter} onChange={setFilter} />
    </SettingsGroup>
  )
}

function KeyboardGroup() {
  const [open, setOpen] = useState(false)
  return (
    <SettingsGroup
      title="Keyboard"
      action={
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Show all shortcuts
        </Button>
      }
    >
      <SingleKeysSwitch />
      <ShortcutsDialog open={open} onClose={() => setOpen(false)} />
    </SettingsGroup>
  )
}
