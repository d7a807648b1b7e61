/** Saving from other pages and apps: the bookmarklet, the share menus of devices, and many links at once. */
import type { Page } from '@playwright/test'
import { createAccount, openSignedIn, saveFilms } from './accounts.ts'
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './fixtures.ts'

const widths = [390, 1280]

/** A page of another site that allows nothing: no scripts, no connections, no frames. */
async function openStrictPage(page: Page): Promise<void> {
  await page.route('https://strict.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: {
        'content-security-policy':
          "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
        'cross-origin-opener-policy': 'same-origin',
      },
      body: '<!doctype html><title>A film &amp; more</title><p>Film</p>',
    }),
  )
  await page.goto('https://strict.example/watch?v=1&t=2')
}

for (const width of widths) {
  test(`the bookmarklet of the settings page adds a page with a strict policy, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const ana = await createAccount(site)
    await openSignedIn(page, site, ana, '/bookmarks/create')
    await page.getByRole('link', { name: 'Save from anywhere' }).click()
    await expect(page.getByRole('heading', { name: 'Save from anywhere' })).toBeVisible()
    await expect(page.getByText(`${site.url}/bookmarks/create?text=`)).toBeVisible()
    const button = page.getByRole('link', { name: 'Save to Reelmark' })
    await button.click()
    await expect(page.getByText(/Drag this button/)).toBeVisible()
    await expectAccessibleInBothThemes(page)
    const code = (await button.getAttribute('href')) ?? ''
    expect(code).toMatch(/^javascript:/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy code' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)

    const other = await page.context().newPage()
    await openStrictPage(other)
    const [added] = await Promise.all([
      page.context().waitForEvent('page'),
      other.evaluate(decodeURIComponent(code.slice('javascript:'.length))),
    ])
    await expect(added.getByLabel('Video URL')).toHaveValue('https://strict.example/watch?v=1&t=2')
    await expect(added).toHaveURL('/bookmarks/create?tab=url')
    await added.close()

    // Where the browser opens no new tab, the page itself is replaced.
    await other.evaluate(() => {
      window.open = () => null
    })
    await other.evaluate(decodeURIComponent(code.slice('javascript:'.length)))
    await expect(other.getByLabel('Video URL')).toHaveValue('https://strict.example/watch?v=1&t=2')
    await other.close()
  })

  test(`what a phone shares is added after the login, and a text without a link is kept, at ${width} px`, async ({
    page,
    site,
    websites: web,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const ana = await createAccount(site)
    const manifest = await (await page.request.get('/site.webmanifest')).json()
    const { action, params } = manifest.share_target
    const share = (shared: Record<string, string>) =>
      `${action}?${new URLSearchParams(Object.entries(shared).map(([name, value]) => [params[name], value]))}`

    await page.goto(share({ title: 'Notes', text: `Look at this:\n${web.film}. Good!` }))
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await page.getByRole('textbox', { name: 'Username' }).fill(ana.username)
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByLabel('Video URL')).toHaveValue(web.film)

    await page.goto(share({ title: 'A film', text: 'Worth seeing' }))
    await expect(page.getByText('What you shared contains no link')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('blockquote')).toHaveText('A film\nWorth seeing', { useInnerText: true })
    await expect(page.getByLabel('Video URL')).toHaveValue(web.film)
    await expectAccessibleInBothThemes(page)
  })

  test(`many links are saved at once; failed ones stay after the tab was closed, at ${width} px`, async ({
    page,
    site,
    websites: web,
    expectedNoise,
  }) => {
    expectedNoise.push(/422/)
    await page.setViewportSize({ width, height: 900 })
    const ana = await createAccount(site)
    await saveFilms(site, ana, 1)
    await openSignedIn(page, site, ana, '/bookmarks/create?tab=url')
    const known = `https://films.example.org/${ana.username}/1`
    const text = `My list:\n${web.film}\n${web.nothing} and ${known}\n${web.article}, ${web.film}`
    await page.getByLabel('Video URL').evaluate((field, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
    await expect(page.getByRole('heading', { name: 'Save many links' })).toBeFocused()
    const links = page.getByRole('list', { name: 'Links' }).getByRole('listitem')
    await expect(links).toHaveCount(4)
    await expect(links.filter({ hasText: 'Already in your vault' })).toHaveCount(1)
    await expect(page.getByText('3 to save, 1 already in your vault.')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.getByLabel('Tags').fill('batch')
    await page.getByLabel('Access').selectOption({ label: 'Private' })
    await page.getByRole('button', { name: 'Save 3 links' }).click()
    await expect(page.getByText('2 saved, 1 already in your vault, 1 failed.')).toBeVisible()
    await expect(links.filter({ hasText: 'Not saved: ' })).toHaveCount(1)
    await expect(page.getByRole('link', { name: 'The Lighthouse at Dusk' })).toBeVisible()
    await expect(page.getByLabel('Video links')).toHaveValue(`My list:\n${web.nothing} and ${known}\n,`)
    await expectAccessible(page)

    const reopened = await page.context().newPage()
    await page.close()
    await reopened.goto('/bookmarks/create')
    await reopened.getByRole('tab', { name: 'Add via URL' }).click()
    await expect(reopened.getByLabel('Video links')).toHaveValue(`My list:\n${web.nothing} and ${known}\n,`)
    const rows = reopened.getByRole('list', { name: 'Links' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await reopened.getByRole('button', { name: 'Remove 1 already saved' }).click()
    await expect(rows).toHaveCount(1)
    await reopened.getByRole('button', { name: `Remove ${web.nothing}` }).click()
    await expect(reopened.getByLabel('Video links')).toHaveValue('')
    await reopened.getByRole('button', { name: 'Done' }).click()
    await expect(reopened.getByLabel('Video URL')).toHaveValue('')
    await reopened.goto(`/users/${ana.username}`)
    await expect(reopened.getByRole('main').getByText('The Lighthouse at Dusk').first()).toBeVisible()
    await reopened.close()
  })
}
