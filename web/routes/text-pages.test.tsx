import { cleanup, screen, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, expect, test } from 'vitest'
import { TransparencyPage } from '../features/moderation/decisions/transparency-page.tsx'
import { renderPage, testSiteContact as siteContact } from '../testing/render-page.tsx'
import { Route as careers } from './careers.tsx'
import { Route as contact } from './contact.tsx'
import { Route as privacy } from './privacy.tsx'
import { Route as terms } from './terms.tsx'

afterEach(cleanup)

/** Renders a text page and returns its text and the targets of its links. */
async function read(route: { options: { component?: unknown } }, contactSettings = siteContact) {
  const Page = route.options.component as ComponentType
  await renderPage(<Page />, { siteContact: contactSettings })
  const text = (screen.getByRole('article').textContent ?? '').replace(/\s+/g, ' ')
  const links = screen.queryAllByRole('link').map((link) => link.getAttribute('href') ?? '')
  return { text, links }
}

test('the terms state the minimum age, flagging duties, grounds for a ban and the limit of liability', async () => {
  const { text, links } = await read(terms)
  expect(text).toContain('at least 18 years old')
  expect(text).toContain('You must flag adult content')
  expect(text).toMatch(/Sexual content involving minors is forbidden.*permanently banned/)
  expect(text).toContain('capped at 100 dollars (USD)')
  expect(text).toContain('may be removed or made private without warning')
  expect(links).toEqual(expect.arrayContaining([`mailto:${siteContact.email}`, '/privacy']))
})

test('the privacy policy states what is stored, for how long, and how to export or delete it', async () => {
  const { text, links } = await read(privacy)
  for (const fact of [
    '18 or older',
    'Argon2id',
    'IP address',
    'for 90 days',
    'trash for 30 days',
    'within a minute also their pictures, tags and words in the search, and the video with its link',
    'export file for a week',
    'we keep reports (without your name)',
    'a removed one for 30 days',
    'off by default',
    'two cookies',
    'trackers',
    'When you press play',
    'download a copy of everything',
    'Deleted user',
  ]) {
    expect(text).toContain(fact)
  }
  expect(links).toEqual(expect.arrayContaining([`mailto:${siteContact.email}`, '/terms']))
})

test('a long page links to its sections', async () => {
  await read(terms)
  const links = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link')
  const targets = links.map((link) => document.querySelector(link.getAttribute('href') ?? ''))
  expect(targets.map((heading) => heading?.textContent)).toEqual(links.map(({ textContent }) => textContent))
  expect(targets).toHaveLength(screen.getAllByRole('heading', { level: 2 }).length)
})

test('volunteers can apply by e-mail', async () => {
  const { text, links } = await read(careers)
  expect(text).toContain('Volunteer developer')
  expect(text).toContain('Volunteer moderator')
  expect(links).toEqual([
    `mailto:${siteContact.email}?subject=Volunteer%20developer`,
    `mailto:${siteContact.email}?subject=Volunteer%20moderator`,
  ])
})

test('a site looks for volunteers only if its operator says so', async () => {
  const { text, links } = await read(careers, { ...siteContact, careers: false })
  expect(text).toContain('There are no open roles at the moment.')
  expect(text).not.toMatch(/volunteer|looking for|Apply/i)
  expect(links).toEqual(['/contact'])
})

test('the contact page gives an e-mail address instead of a form', async () => {
  const { text, links } = await read(contact)
  expect(text).toContain('The contact form is currently unavailable')
  expect(text).toContain(siteContact.email)
  expect(links).toContain(`mailto:${siteContact.email}`)
  expect(screen.queryByRole('textbox')).toBeNull()
})

const month = {
  month: '2026-11',
  reports: 1204,
  approved: 900,
  rejected: 300,
  removed_videos: 850,
  removed_comments: 40,
  suspensions: 3,
  bans: 2,
  appeals: 12,
  granted_appeals: 5,
}

test('the transparency page explains moderation and shows counts by month', async () => {
  await renderPage(<TransparencyPage months={[month, { ...month, month: '2026-10', reports: 0 }]} />)
  expect(screen.getByText(/hidden until a moderator reviews it/)).toBeTruthy()
  expect(screen.getByText(/can appeal each decision once/)).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: 'Appeals granted' })).toBeTruthy()
  const row = screen.getByRole('rowheader', { name: 'Nov 2026' }).closest('tr')
  expect(row?.textContent).toBe('Nov 20261,2049003008504032125')
})

test('the transparency page says if there were no reports', async () => {
  const nothing = Object.fromEntries(Object.keys(month).map((key) => [key, 0]))
  await renderPage(<TransparencyPage months={[{ ...month, ...nothing, month: '2026-11' }]} />)
  expect(screen.getByText('No reports in the last twelve months.')).toBeTruthy()
})
