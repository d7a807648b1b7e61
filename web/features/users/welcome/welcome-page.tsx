import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { SettingsRowsSkeleton } from '../../../shared/pages/settings-panel.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { FollowStep } from './follow-step.tsx'

/** The first steps of a new user. Each is optional, and the page can be opened again at any time. */
export function WelcomePage() {
  return (
    <WelcomeFrame>
      <FollowStep />
    </WelcomeFrame>
  )
}

/** The page as the server renders it, without knowing the viewer. */
export function WelcomeSkeleton() {
  return (
    <WelcomeFrame>
      <SettingsRowsSkeleton rows={1} label="Loading tags" />
    </WelcomeFrame>
  )
}

/** `children` is the content of the last step, which depends on the viewer. */
function WelcomeFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-200! pt-8 pb-12 sm:pt-12">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <PageTitle>Get started</PageTitle>
          <p className="measure mt-1 text-14 text-quiet">
            Three steps, all optional. You'll find them again in your account menu and in Settings.
          </p>
        </div>
        <Link to="/" className={buttonClass()}>
          Skip for now
        </Link>
      </header>
      <ol className="mt-8 flex flex-col">
        <Step
          number={1}
          title="Import your videos"
          lead="Bring what you saved elsewhere: YouTube, the bookmarks of your browser, Raindrop, Pocket and many more. You see what's in a file before anything is imported."
        >
          <Link to="/settings/data" className={buttonClass('plain', 'md', 'self-start')}>
            Import videos
          </Link>
        </Step>
        <Step
          number={2}
          title="Save from anywhere"
          lead="Add the browser extension or a bookmarklet, or put Reelmark in the share menu of your phone. Then you save a video without leaving its page."
        >
          <Link to="/settings/save" className={buttonClass('plain', 'md', 'self-start')}>
            Set up saving
          </Link>
        </Step>
        <Step
          number={3}
          title="Follow people"
          lead="Pick tags you like to see people who save such videos. What they save next appears in your feed."
        >
          {children}
        </Step>
      </ol>
      <div className="border-t border-line pt-8">
        <Link to="/" className={buttonClass('accent', 'lg')}>
          Done
        </Link>
      </div>
    </div>
  )
}

interface StepProps {
  number: number
  title: string
  lead: string
  children: ReactNode
}

function Step({ number, title, lead, children }: StepProps) {
  const id = useId()
  return (
    <li className="border-t border-line py-8">
      <section aria-labelledby={id} className="flex gap-4">
        <span
          aria-hidden="true"
          className="flex size-8 shrink-0 items-center justify-center rounded-full border border-line-strong text-14 font-medium tabular-nums max-xs:hidden"
        >
          {number}
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-5">
          <div>
            <SectionTitle id={id}>{title}</SectionTitle>
            <p className="measure mt-1 text-14 text-quiet">{lead}</p>
          </div>
          {children}
        </div>
      </section>
    </li>
  )
}
