import { Ban, BellRing, Database, Gavel, KeyRound, Palette, ShieldCheck, UserRound } from 'lucide-react'

/**
 * The pages of Settings, in their order. No icon of the header's: one that every page has would bring this file's whole
 * part of the build along.
 */
export const settingsPages = [
  { to: '/settings/account', label: 'Account', Icon: UserRound },
  { to: '/settings/security', label: 'Security', Icon: ShieldCheck },
  { to: '/settings/notifications', label: 'Notifications', Icon: BellRing },
  { to: '/settings/appearance', label: 'Appearance', Icon: Palette },
  { to: '/settings/blocked', label: 'Blocked and muted', Icon: Ban },
  { to: '/settings/reports', label: 'Reports and decisions', Icon: Gavel },
  { to: '/settings/data', label: 'Data', Icon: Database },
  { to: '/settings/tokens', label: 'Access tokens', Icon: KeyRound },
] as const
