import type { LinkProps } from '@tanstack/react-router'
import AtSign from 'lucide-react/icons/at-sign'
import Ban from 'lucide-react/icons/ban'
import BellRing from 'lucide-react/icons/bell-ring'
import BookmarkPlus from 'lucide-react/icons/bookmark-plus'
import Database from 'lucide-react/icons/database'
import Gavel from 'lucide-react/icons/gavel'
import HatGlasses from 'lucide-react/icons/hat-glasses'
import KeyRound from 'lucide-react/icons/key-round'
import Palette from 'lucide-react/icons/palette'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserRound from 'lucide-react/icons/user-round'
import WebhookIcon from 'lucide-react/icons/webhook'
import type { IconComponent } from '../../ui/icon.ts'

interface SettingsPage {
  to: NonNullable<LinkProps['to']>
  label: string
  Icon: IconComponent
}

/**
 * Lists the pages of Settings, in their order. It uses no icon that the header also uses: a shared icon would make every
 * page load this module's chunk.
 */
export const settingsPages: readonly SettingsPage[] = [
  { to: '/settings/profile', label: 'Profile', Icon: UserRound },
  { to: '/settings/account', label: 'Account', Icon: AtSign },
  { to: '/settings/security', label: 'Security', Icon: ShieldCheck },
  { to: '/settings/privacy', label: 'Privacy', Icon: HatGlasses },
  { to: '/settings/notifications', label: 'Notifications', Icon: BellRing },
  { to: '/settings/appearance', label: 'Appearance', Icon: Palette },
  { to: '/settings/blocked', label: 'Blocked and muted', Icon: Ban },
  { to: '/settings/reports', label: 'Reports and decisions', Icon: Gavel },
  { to: '/settings/save', label: 'Save from anywhere', Icon: BookmarkPlus },
  { to: '/settings/data', label: 'Data', Icon: Database },
  { to: '/settings/tokens', label: 'Access tokens', Icon: KeyRound },
  { to: '/settings/webhooks', label: 'Webhooks', Icon: WebhookIcon },
]
