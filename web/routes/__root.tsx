import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url'
import geist from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url'
import { createRootRouteWithContext, HeadContent, Outlet, ScriptOnce, Scripts } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Header } from '../features/shell/header.tsx'
import { ModeratorReminder } from '../features/shell/moderator-reminder.tsx'
import { PageEffects } from '../features/shell/page-effects.tsx'
import { SuspensionNotice } from '../features/shell/suspension-notice.tsx'
import { themeScript } from '../features/shell/theme-script.ts'
import type { RouterContext } from '../ssr/router.tsx'
import { deferPart } from '../ui/defer-part.tsx'

const loadFrameParts = () => import('../features/shell/frame-parts.ts').then((module) => module.frameParts)
const Footer = deferPart(() => loadFrameParts().then((parts) => parts.Footer))
const RecruitingBanner = deferPart(() => loadFrameParts().then((parts) => parts.RecruitingBanner))

export const Route = createRootRouteWithContext<RouterContext>()({
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: 'Reelmark: save, organise and share videos from anywhere' },
      {
        name: 'description',
        content:
          'Save videos from around the web, organise them into collections and channels, and share what you find.',
      },
      { name: 'color-scheme', content: 'dark light' },
      { name: 'theme-color', content: '#100e0c', media: '(prefers-color-scheme: dark)' },
      { name: 'theme-color', content: '#fbf9f7', media: '(prefers-color-scheme: light)' },
      { property: 'og:site_name', content: 'Reelmark' },
    ],
    links: [
      { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: geist },
      { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: bricolage },
      { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
      { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
      { rel: 'manifest', href: '/site.webmanifest' },
      ...(import.meta.env.SSR
        ? [
            {
              rel: 'search',
              type: 'application/opensearchdescription+xml',
              title: 'Reelmark',
              href: '/opensearch.xml',
            },
          ]
        : []),
    ],
  }),
  shellComponent: Document,
  component: Outlet,
})

function Document({ children }: { children: ReactNode }) {
  return (
    // theme-script.ts sets data attributes on this element before hydration.
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* Empty in the browser, where the script has already run. */}
        <ScriptOnce>{import.meta.env.SSR ? themeScript : ''}</ScriptOnce>
        <HeadContent />
      </head>
      <body>
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 text-14 font-medium text-accent-text focus:translate-y-0"
        >
          Skip to content
        </a>
        <Header />
        <RecruitingBanner />
        <ModeratorReminder />
        <SuspensionNotice />
        <main id="content" tabIndex={-1} className="flex-1">
          <div id="player-dock" />
          {children}
        </main>
        <Footer />
        <PageEffects />
        <Scripts />
      </body>
    </html>
  )
}
