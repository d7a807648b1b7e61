import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useSyncExternalStore } from 'react'
import { createListeners } from './create-listeners.ts'
import { writeLocalStorage } from './local-storage.ts'

export type Theme = 'system' | 'dark' | 'light'

const { subscribe, notify } = createListeners()

function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme
  return theme === 'dark' || theme === 'light' ? theme : 'system'
}

/** Sets the theme for this page and stores it for later pages. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  writeLocalStorage('theme', theme === 'system' ? null : theme)
  notify()
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'system')
}

const themeChoices = [
  { theme: 'system', label: 'System', Icon: Monitor },
  { theme: 'dark', label: 'Dark', Icon: Moon },
  { theme: 'light', label: 'Light', Icon: Sun },
] as const

/** A switch for the theme: system, dark or light. `name` must be unique on the page. */
export function ThemeSwitch({ name }: { name: string }) {
  const chosen = useTheme()
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-sunken p-1">
      <legend className="sr-only">Theme</legend>
      {themeChoices.map(({ theme, label, Icon }) => (
        <label
          key={theme}
          className="relative flex h-8 items-center gap-1.5 rounded-full px-2.5 text-[min(0.8125rem,4.5vw)] text-quiet transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus sm:px-3 pointer-coarse:h-11"
        >
          <input
            type="radio"
            name={name}
            value={theme}
            checked={chosen === theme}
            onChange={() => setTheme(theme)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Icon className="size-4" />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
