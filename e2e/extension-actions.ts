/** What the tests of the extension do and look up repeatedly. */
import type { Page } from '@playwright/test'
import { listAccessTokens } from '@reelmark/contract/access-tokens.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { findOwnBookmarksByUrl } from '@reelmark/contract/collect.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { logInForToken, openSignedIn } from './accounts.ts'
import type { ExtensionBrowser } from './extension-browser.ts'
import { type Account, expect, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { silence } from './silent-file.ts'
import type { Site } from './site-process.ts'

/** Connects the extension on its options page, as a user who is signed in to the site. Returns that page. */
export async function connect(extension: ExtensionBrowser, site: Site, siteUrl: string, account: Account) {
  const signedIn = await extension.context.newPage()
  await openSignedIn(signedIn, { ...site, url: siteUrl }, account, `${siteUrl}/contact`)
  await signedIn.close()
  const options = await extension.open('options.html')
  await options.getByLabel('Site address').fill(siteUrl)
  await options.getByRole('button', { name: 'Connect', exact: true }).click()
  await allow(extension)
  await expect(
    options.getByText(`Connected to ${new URL(siteUrl).host} as ${account.username}.`),
  ).toBeVisible()
  return options
}

/** Presses Allow in the tab that the extension opened on the site, which then closes. */
export async function allow({ context }: ExtensionBrowser): Promise<void> {
  const findTab = () => context.pages().find((page) => new URL(page.url()).pathname === '/connect')
  await expect.poll(() => findTab() !== undefined).toBe(true)
  await findTab()?.getByRole('button', { name: 'Allow' }).click()
  await expect.poll(() => context.pages().some((page) => page.url().includes('/connect'))).toBe(false)
}

/** Opens a page at a unique address with a video that is paused at a time. */
export async function openFilm({ context }: ExtensionBrowser, film: string, seconds = 0): Promise<Page> {
  const page = await context.newPage()
  const body = silence(100)
  await page.route('**/film.wav', (route) =>
    route.fulfill({ contentType: 'audio/wav', headers: { 'accept-ranges': 'bytes' }, body }),
  )
  await page.goto(`${film}?${uniqueName('v')}`)
  await page.evaluate(async (time) => {
    const video = document.createElement('video')
    video.src = '/film.wav'
    document.body.append(video)
    await new Promise((resolve) => video.addEventListener('canplaythrough', resolve, { once: true }))
    const moved = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
    video.currentTime = time
    await moved
  }, seconds)
  return page
}

/** Returns the account's bookmarks of an address. */
export async function findSaved(site: Site, account: Account, url: string) {
  const token = await logInForToken(site, account)
  const { bookmarks } = await call(httpTransport(site), findOwnBookmarksByUrl, { query: { url } }, token)
  return Promise.all(
    bookmarks.map(({ id }) => call(httpTransport(site), getBookmark, { params: { id } }, token)),
  )
}

export const badgeOf = (extension: ExtensionBrowser, url: string) =>
  extension.inBackground(async (address) => {
    const [tab] = (await chrome.tabs.query({})).filter((each) => each.url === address)
    return tab?.id === undefined ? null : chrome.action.getBadgeText({ tabId: tab.id })
  }, url)

export const totalBadge = (extension: ExtensionBrowser) =>
  extension.inBackground(() => chrome.action.getBadgeText({}))

export const pendingIn = (extension: ExtensionBrowser) =>
  extension.inBackground(async () => {
    const { pendingSaves = [] } = await chrome.storage.local.get<{ pendingSaves?: unknown[] }>('pendingSaves')
    return pendingSaves.length
  })

export async function revokeTokens(site: Site, account: Account): Promise<void> {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listAccessTokens, { query: {} }, token)
  for (const { id } of results)
    expect(
      (await fetch(`${site.url}/api/auth/tokens/${id}/`, { method: 'DELETE', headers: token })).status,
    ).toBe(204)
}
