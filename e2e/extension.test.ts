/** The browser extension in Chromium, with the real site behind a proxy that can lose the connection. */
import { createAccount, openSignedIn } from './accounts.ts'
import {
  allow,
  badgeOf,
  connect,
  findSaved,
  openFilm,
  pendingIn,
  revokeTokens,
  totalBadge,
} from './extension-actions.ts'
import { test } from './extension-browser.ts'
import { expect, expectAccessibleInBothThemes, uniqueName } from './fixtures.ts'
import { startUnreliableProxy } from './unreliable-proxy.ts'

test('a connected user saves a page with its playback time, and sees that it is saved', async ({
  extension,
  site,
  siteProxy,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  const options = await extension.open('options.html')
  await expectAccessibleInBothThemes(options)
  await options.getByLabel('Site address').fill('not an address')
  await options.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(options.getByText('Enter an address such as https://videos.example.org')).toBeVisible()
  await options.close()
  const connected = await connect(extension, site, siteProxy.url, ana)

  const film = await openFilm(extension, web.film, 83)
  const popup = await extension.openPopup(film)
  await expect(popup.getByLabel('Title')).toHaveValue('The Lighthouse at Dusk')
  await expect(popup.getByLabel('Address')).toHaveValue(film.url())
  await expect(popup.getByLabel('Channel')).toHaveValue(/\d/)
  await expectAccessibleInBothThemes(popup)
  await popup.getByLabel('Start at 1:23, where the video is now').check()
  await popup.getByRole('button', { name: 'lighthouse' }).click()
  await popup.getByLabel('Private note').fill('For Friday')
  await popup.getByRole('switch', { name: 'Private' }).check()

  // The popup closes as soon as it loses the focus.
  await popup.close()
  const again = await extension.openPopup(film)
  await expect(again.getByLabel('Private note')).toHaveValue('For Friday')
  await again.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(again.getByRole('link', { name: 'View bookmark' })).toHaveAttribute(
    'href',
    new RegExp(`^${siteProxy.url}/bookmarks/\\d+$`),
  )
  expect(await findSaved(site, ana, film.url())).toMatchObject([
    {
      title: 'The Lighthouse at Dusk',
      tags: [{ name: 'lighthouse' }],
      start_seconds: 83,
      access: 'private',
      private_note: 'For Friday',
      video: { duration: 2412 },
    },
  ])
  await again.close()

  const third = await extension.openPopup(film)
  await expect(third.getByText('Already in your bookmarks')).toBeVisible()
  await expect(third.getByLabel('Private note')).toHaveValue('')
  await expect.poll(() => badgeOf(extension, film.url())).toBe('✓')
  await expectAccessibleInBothThemes(third)
  // Other pages are not looked up, unless the user opens the popup or turns it on.
  const before = siteProxy.requests.length
  const other = await openFilm(extension, web.article)
  await expect.poll(() => badgeOf(extension, other.url())).toBe('')
  expect(siteProxy.requests.slice(before)).toEqual([])
  const everyPage = connected.getByRole('switch', { name: 'Mark every page that I already saved' })
  await everyPage.click()
  await expect(everyPage).toBeChecked()
  await film.reload()
  await expect.poll(() => badgeOf(extension, film.url())).toBe('✓')
})

test('saves are sent later, once each, if the site cannot be reached or its response is lost', async ({
  extension,
  site,
  siteProxy,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  await connect(extension, site, siteProxy.url, ana)
  const film = await openFilm(extension, web.film)
  siteProxy.state = 'down'
  const popup = await extension.openPopup(film)
  await popup.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(popup.getByText('Saved on this device')).toBeVisible()
  await expect(popup.getByText('1 save waiting to be sent.')).toBeVisible()
  await expectAccessibleInBothThemes(popup)
  await expect.poll(() => totalBadge(extension)).toBe('1')
  expect(await findSaved(site, ana, film.url())).toEqual([])

  // The site saves it, and its response does not arrive.
  siteProxy.state = 'up'
  const deaf = siteProxy.requests.length
  siteProxy.loses = 'POST /api/bookmarks/'
  await popup.getByRole('button', { name: 'Send now' }).click()
  await expect.poll(() => siteProxy.requests.slice(deaf)).toContain('POST /api/bookmarks/')
  await expect.poll(() => findSaved(site, ana, film.url())).toHaveLength(1)
  await expect(popup.getByText('1 save waiting to be sent.')).toBeVisible()

  siteProxy.loses = null
  const sendNow = popup.getByRole('button', { name: 'Send now' })
  await expect(async () => {
    // It is gone if the attempt before succeeded after all.
    if (await sendNow.isVisible()) await sendNow.click({ timeout: 1_000 })
    await expect(popup.getByText('1 save waiting to be sent.')).toBeHidden({ timeout: 5_000 })
  }).toPass()
  expect(await findSaved(site, ana, film.url())).toHaveLength(1)
  await expect.poll(() => totalBadge(extension)).toBe('')
})

test('after the token is revoked, the user connects again and nothing is lost', async ({
  extension,
  site,
  siteProxy,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  const options = await connect(extension, site, siteProxy.url, ana)
  await revokeTokens(site, ana)
  const film = await openFilm(extension, web.film)
  const popup = await extension.openPopup(film)
  await expect(popup.getByRole('button', { name: 'Connect again' })).toBeVisible()
  await popup.getByLabel('Title').fill('Saved without a connection')
  await popup.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(popup.getByText('It will be sent after you connect again.')).toBeVisible()
  await popup.close()

  await expect(options.getByText('1 save waiting to be sent.')).toBeVisible()
  await expectAccessibleInBothThemes(options)
  await options.getByRole('button', { name: 'Connect again' }).click()
  await allow(extension)
  await expect.poll(() => pendingIn(extension)).toBe(0)
  expect(await findSaved(site, ana, film.url())).toMatchObject([{ title: 'Saved without a connection' }])

  // Another account does not get what this one was about to save.
  await revokeTokens(site, ana)
  const mara = await createAccount(site, 'mara')
  const next = await openFilm(extension, web.film)
  const second = await extension.openPopup(next)
  await expect(second.getByRole('button', { name: 'Connect again' })).toBeVisible()
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(second.getByText('It will be sent after you connect again.')).toBeVisible()
  const signedIn = await extension.context.newPage()
  await openSignedIn(signedIn, { ...site, url: siteProxy.url }, mara, `${siteProxy.url}/contact`)
  await options.getByRole('button', { name: 'Connect again' }).click()
  await allow(extension)
  await expect(options.getByText(`You saved this as ${ana.username}.`)).toBeVisible()
  expect(await findSaved(site, mara, next.url())).toEqual([])
  await options.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => pendingIn(extension)).toBe(0)
  expect(await findSaved(site, mara, next.url())).toHaveLength(1)
})

test('disconnecting revokes the token and removes everything of the site, which another one replaces', async ({
  extension,
  site,
  siteProxy,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  const options = await connect(extension, site, siteProxy.url, ana)
  const token = await extension.inBackground(async () => {
    const { connection } = await chrome.storage.local.get<{ connection: { token: string } }>('connection')
    return connection.token
  })
  const isAccepted = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${site.url}/api/collections/`, { headers })).ok
  }
  expect(await isAccepted()).toBe(true)
  siteProxy.state = 'down'
  const film = await openFilm(extension, web.film)
  const popup = await extension.openPopup(film)
  await popup.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(popup.getByText('Saved on this device')).toBeVisible()
  await popup.close()

  siteProxy.state = 'up'
  await options.getByRole('button', { name: 'Disconnect' }).click()
  await expect(options.getByText('1 save will be deleted')).toBeVisible()
  await options.getByRole('button', { name: 'Delete them and disconnect' }).click()
  await expect(options.getByLabel('Site address')).toBeVisible()
  expect(await isAccepted()).toBe(false)
  const stored = await extension.inBackground(async () => [
    await chrome.storage.local.get(),
    await chrome.storage.session.get(),
  ])
  expect(stored).toEqual([{}, {}])
  await options.close()

  const otherAddress = await startUnreliableProxy(site)
  await connect(extension, site, otherAddress.url, ana)
  const again = await extension.openPopup(film)
  await again.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(again.getByRole('link', { name: 'View bookmark' })).toHaveAttribute(
    'href',
    new RegExp(`^${otherAddress.url}/bookmarks/`),
  )
  await otherAddress.close()
})

test('several tabs, pages and links are saved without the popup', async ({
  extension,
  site,
  siteProxy,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  await connect(extension, site, siteProxy.url, ana)
  const [first, second, excluded] = [
    await openFilm(extension, web.film),
    await openFilm(extension, web.film),
    await openFilm(extension, web.article),
  ]
  const windowId = await extension.inBackground(async () => (await chrome.windows.getCurrent()).id)
  const tabs = await extension.open(`tabs.html?window=${windowId}`)
  for (const box of await tabs.getByRole('checkbox').all()) await expect(box).toBeChecked()
  await tabs.getByLabel('Notes on fog').uncheck()
  await tabs.getByRole('textbox', { name: 'Tags' }).fill('evening')
  await expectAccessibleInBothThemes(tabs)
  await tabs.getByRole('button', { name: 'Save 2 tabs' }).click()
  await expect(tabs.getByText('2 saved', { exact: true })).toBeVisible()
  for (const page of [first, second])
    expect(await findSaved(site, ana, page.url())).toMatchObject([{ tags: [{ name: 'evening' }] }])
  expect(await findSaved(site, ana, excluded.url())).toEqual([])

  // The browser's menu is outside of what Playwright controls, so the choice in it is reported to the extension here.
  const link = `${web.film}?${uniqueName('link')}`
  await extension.inBackground((linkUrl) => {
    const event = chrome.contextMenus.onClicked as unknown as { dispatch(info: object): void }
    event.dispatch({ menuItemId: 'save-link', linkUrl })
  }, link)
  await expect.poll(() => findSaved(site, ana, link)).toMatchObject([{ title: 'The Lighthouse at Dusk' }])

  // The first is being sent while the second is requested.
  const outcomes = await tabs.evaluate(
    async (urls) => {
      const options = { title: '', tags: [], destination: null, access: null, note: '', startSeconds: null }
      const save = (url: string) =>
        chrome.runtime.sendMessage({ type: 'save', requests: [{ url, ...options }] })
      const replies: { outcome: { kind: string } }[][] = await Promise.all(urls.map(save))
      return replies.flat().map(({ outcome }) => outcome.kind)
    },
    [`${web.film}?${uniqueName('both')}`, `${web.film}?${uniqueName('both')}`],
  )
  expect(outcomes).toEqual(['saved', 'saved'])
})
