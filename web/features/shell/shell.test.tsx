import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeUser } from '../../shared/session/session-store.ts'
import { countRequests, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../testing/fake-session.ts'
import { renderPage, testSiteContact } from '../../testing/render-page.tsx'
import { expectSearchElement } from '../../testing/search-element.tsx'
import { readLocalStorage } from '../../ui/local-storage.ts'
import { invalidateModeration } from '../moderation/queries.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { RecruitingBanner } from './recruiting-banner.tsx'

const user = userEvent.setup({ delay: null })

expectSearchElement()
beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const linkNames = (element: HTMLElement, role: 'link' | 'button') =>
  within(element)
    .queryAllByRole(role)
    .map((item) => item.textContent)
const nav = () => screen.getByRole('navigation', { name: 'Main' })
const header = () => screen.getByRole('banner')

test('the header links home and shows that the site is in beta', async () => {
  await renderPage(<Header />)
  expect(screen.getByRole('link', { name: 'Reelmark, home' }).getAttribute('href')).toBe('/')
  expect(within(header()).getByText('Beta')).toBeTruthy()
})

test('a visitor sees Home, Explore, Log in and Sign up', async () => {
  await renderPage(<Header />)
  expect(linkNames(nav(), 'link')).toEqual(['Home', 'Explore'])
  expect(linkNames(header(), 'link')).toEqual(expect.arrayContaining(['Log in', 'Sign up']))
  expect(linkNames(header(), 'link')).not.toContain('Add Bookmark')
  expect(linkNames(header(), 'button')).not.toContain('Log out')
})

test('a signed-in user sees Profile, Add Bookmark and Log out', async () => {
  signInAs('alice')
  await renderPage(<Header />)
  expect(linkNames(nav(), 'link')).toEqual(['Home', 'Explore', 'Library', 'Profile'])
  expect(within(nav()).getByRole('link', { name: 'Profile' }).getAttribute('href')).toBe('/users/alice')
  expect(linkNames(header(), 'link')).toContain('Add Bookmark')
  expect(linkNames(header(), 'button')).toContain('Log out')
  expect(linkNames(header(), 'link')).not.toContain('Sign up')
})

test('a moderator also sees Moderator Tools', async () => {
  signInAs('mona')
  storeUser(testProfile('mona', { is_moderator: true }))
  await renderPage(<Header />)
  expect(linkNames(nav(), 'link')).toEqual(['Home', 'Explore', 'Library', 'Profile', 'Moderator Tools'])
  expect(within(nav()).getByRole('link', { name: 'Moderator Tools' }).getAttribute('href')).toBe('/moderator')
})

test('a moderator sees the number of open cases, updated after each decision', async () => {
  let open = 3
  const requests = fakeApi(({ path }) =>
    path === '/moderation/cases/count/' ? [200, { count: open }] : 'offline',
  )
  signInAs('mona')
  storeUser(testProfile('mona', { is_moderator: true }))
  const { client } = await renderPage(<Header />)
  const tools = () => within(nav()).getByRole('link', { name: /^Moderator Tools/ })
  expect(await within(nav()).findByRole('link', { name: /^Moderator Tools ?3 open$/ })).toBe(tools())
  expect(countRequests(requests, '/moderation/cases/count/')).toBe(1)
  open = 100
  await invalidateModeration(client)
  expect(await within(nav()).findByRole('link', { name: /^Moderator Tools ?99\+ open$/ })).toBe(tools())
  open = 0
  await invalidateModeration(client)
  expect(await within(nav()).findByRole('link', { name: 'Moderator Tools' })).toBe(tools())
})

test('the menu on phones has the same links and actions', async () => {
  // jsdom does not implement showModal.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  signInAs('mona')
  storeUser(testProfile('mona', { is_moderator: true }))
  await renderPage(<Header />)
  await user.click(await screen.findByRole('button', { name: 'You' }))
  const menu = await screen.findByRole('navigation', { name: 'Menu' })
  expect(linkNames(menu, 'link')).toEqual(linkNames(nav(), 'link'))
  expect(screen.getAllByRole('link', { name: 'Add Bookmark' })).toHaveLength(2)
  expect(screen.getAllByRole('button', { name: 'Log out' })).toHaveLength(2)
})

test('the recruiting banner links the chat and stays hidden once dismissed', async () => {
  await renderPage(<RecruitingBanner />)
  const banner = screen.getByRole('complementary', { name: 'Join us' })
  expect(banner.textContent).toMatch(/suggestions.*moderator or developer/)
  expect(screen.getByRole('link', { name: 'Chat with us' }).getAttribute('href')).toMatch(/^https:/)
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(readLocalStorage('recruiting-banner')).toBe(testSiteContact.banner)
  expect(document.documentElement.dataset.banner).toBe('dismissed')
})

test.each([
  ['the same text', testSiteContact.banner, 'dismissed'],
  ['another text', 'Maintenance on Sunday at 10:00.', undefined],
])(
  'after the recruiting banner was dismissed, the state of a banner with %s is %s',
  async (_, banner, state) => {
    localStorage.setItem('recruiting-banner', testSiteContact.banner ?? '')
    document.documentElement.dataset.banner = 'dismissed'
    await renderPage(<RecruitingBanner />, { siteContact: { ...testSiteContact, banner } })
    expect(document.documentElement.dataset.banner).toBe(state)
  },
)

test('the footer links Careers and the contact options that the operator configured, Privacy and Terms', async () => {
  await renderPage(<Footer />)
  const links = linkNames(screen.getByRole('navigation', { name: 'Footer' }), 'link')
  expect(links).toEqual(
    expect.arrayContaining(['Careers', 'Chat', 'Mastodon', 'Source code', 'Privacy', 'Terms']),
  )
})

test('a site that looks for nobody shows its banner without roles, and does not link to Careers', async () => {
  const siteContact = {
    ...testSiteContact,
    banner: 'Maintenance on Sunday at 10:00.',
    chat: null,
    careers: false,
  }
  await renderPage(
    <>
      <RecruitingBanner />
      <Footer />
    </>,
    { siteContact },
  )
  const banner = screen.getByRole('complementary', { name: 'Announcement' })
  expect(banner.textContent?.trim()).toBe('Maintenance on Sunday at 10:00.')
  expect(linkNames(screen.getByRole('navigation', { name: 'Footer' }), 'link')).not.toContain('Careers')
})

test('without a configured banner the site shows none', async () => {
  await renderPage(<RecruitingBanner />, { siteContact: { ...testSiteContact, banner: null } })
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('contact links that the operator did not set are left out', async () => {
  const siteContact = { ...testSiteContact, chat: null, mastodon: null, code: null }
  await renderPage(
    <>
      <RecruitingBanner />
      <Footer />
    </>,
    { siteContact },
  )
  expect(screen.getByRole('complementary', { name: 'Join us' }).textContent).toMatch(/Open roles$/)
  expect(screen.queryByRole('heading', { name: 'Community' })).toBeNull()
})
