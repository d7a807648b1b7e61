/** Browsing without an account. */
import { expect, expectAccessible, test, waitForIdle } from './fixtures.ts'

test('a visitor gets from the home page through Explore to a bookmark', { tag: '@essential' }, async ({
  page,
}) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Reelmark/)
  await expect(page.getByRole('link', { name: 'Create Your Vault' })).toBeVisible()
  // Without settings of the operator there is no banner, and no link to a chat or other sites.
  await expect(page.getByRole('complementary', { name: 'Join us' })).toHaveCount(0)
  const ofOperator = page.getByRole('link', { name: /Chat|Mastodon|Careers|Source code/ })
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(ofOperator).toHaveCount(0)
  await page.getByRole('link', { name: 'Explore Public Bookmarks' }).click()
  await expect(page.getByRole('heading', { name: 'Explore Bookmarks' })).toBeVisible()
  await expect(page.getByText(/Page 1 of \d+ \(\d+ results\)/)).toBeVisible()
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/bookmarks\/\d+$/)
  await expect(page.getByRole('link', { name: /^View on / })).toBeVisible()
  await expect(page.getByText(/\d+ likes?$/)).toBeVisible()
  await expect(page.getByText(/^Orientation: \w+$/)).toBeVisible()
})

test('a remembered orientation without bookmarks is left for all bookmarks', async ({ page }) => {
  await page.goto('/explore?tag=no-such-tag')
  const orientation = page.getByLabel('Orientation')
  await orientation.selectOption('Trans')
  await expect(page).toHaveURL(/orientation=trans/)
  await page.getByRole('link', { name: 'Show all bookmarks' }).click()
  await expect(page).toHaveURL('/explore')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  await page.goto('/explore')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  await expect(orientation).toHaveValue('all')
  await expect(page).toHaveURL('/explore')
})

test('the structured data of a page stays complete when its scripts run', async ({ page }) => {
  await page.goto('/explore')
  const bookmark = page.getByRole('main').getByRole('article').first().getByRole('link').first()
  await page.goto((await bookmark.getAttribute('href')) ?? '')
  const json = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(json ?? '')).toMatchObject({ '@type': 'VideoObject', url: page.url() })
})

test('sorting, filtering and searching update the address and start at page 1', async ({ page }) => {
  await page.goto('/explore?page=2')
  await expect(page.getByText(/^Page 2 of \d+ \(/)).toBeVisible()
  await page
    .getByRole('link', { name: 'Random' })
    .or(page.getByRole('tab', { name: 'Random' }))
    .click()
  await expect(page).toHaveURL(/sort=random/)
  await expect(page).not.toHaveURL(/page=2/)
  await page.goto('/explore?q=%22no%20such%20words%22')
  await expect(page.getByText(/\(0 results\)/)).toBeVisible()
})

test('a search is ordered, filtered and explained, and its operators are suggested', async ({ page }) => {
  await page.goto('/explore')
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Longest')
  await expect(page).toHaveURL(/sort=longest/)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('textbox', { name: 'Shortest, in minutes' }).fill('5')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/sort=longest/)
  await expect(page).toHaveURL(/min_duration=300/)
  await expect(page.getByRole('link', { name: 'At least 5:00' })).toBeVisible()

  const search = page.getByPlaceholder('Search or paste a link')
  await search.click()
  await page.getByRole('button', { name: 'Search help' }).click()
  await expect(page.getByRole('dialog', { name: 'Search help' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Search help' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Search help' })).toBeFocused()

  await search.click()
  await expect(page.getByRole('combobox', { name: 'Search', exact: true })).toBeVisible()
  await search.pressSequentially('sho')
  const shorter = page.getByRole('option', { name: 'shorter:' })
  await expect(shorter).toBeVisible()
  await expectAccessible(page)
  while ((await shorter.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('2h')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=shorter%3A2h/)
  await expect(page).toHaveURL(/min_duration=300/)
})

test('Explore shows as many placeholders as fit while it loads', async ({ page }) => {
  await page.goto('/contact')
  // Without a response, the page stays in its loading state.
  await page.route('**/api/videos/**', () => {})
  await page.getByRole('link', { name: 'Explore' }).first().click()
  const shown = page.getByRole('status', { name: 'Loading bookmarks' }).locator('.skeleton-grid > *:visible')
  for (const [width, count] of [
    [1280, 18],
    [1279, 12],
    [768, 12],
    [767, 9],
    [640, 9],
    [639, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(shown, `${width} px`).toHaveCount(count)
  }
})

test('public pages do not load the code of Settings or of the moderators’ pages', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  const lazy = () => scripts.filter((path) => /settings|moderator/.test(path))
  for (const path of ['/', '/explore', '/login']) {
    await page.goto(path)
    await waitForIdle(page)
  }
  expect(scripts.length).toBeGreaterThan(3)
  expect(lazy()).toEqual([])
  for (const path of ['/settings', '/moderator']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login\?redirect=/)
    expect(lazy().some((script) => script.includes(path.slice(1)))).toBe(true)
  }
})

test('an empty search on the home page does nothing', async ({ page }) => {
  await page.goto('/')
  const search = page.getByRole('main').getByPlaceholder('Search')
  await search.fill('   ')
  await search.press('Enter')
  await expect(page).toHaveURL('/')
})

test('an unknown address responds 404 and says so', async ({ page, expectedNoise }) => {
  expectedNoise.push(/404/)
  const reply = await page.goto('/no/such/page')
  expect(reply?.status()).toBe(404)
  await expect(page).toHaveTitle('Page not found · Reelmark')
})

test('/user/name redirects to /users/name', async ({ page, request, site }) => {
  const list = await (await request.get(`${site.url}/api/videos/`)).json()
  const owner = list.results[0].user_username
  await page.goto(`/user/${owner}`)
  await expect(page).toHaveURL(`/users/${owner}`)
  await expect(page.getByRole('heading', { name: owner })).toBeVisible()
})

test('the API documentation opens in a browser', async ({ page }) => {
  await page.goto('/api/docs/')
  await expect(page.getByRole('heading', { name: /^Reelmark/ })).toBeVisible()
  await page.getByRole('heading', { name: /^listing / }).click()
  await expect(page.getByText('/api/videos/', { exact: true })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('home, Explore and a bookmark are complete, including metadata for search engines', {
    tag: '@essential',
  }, async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Explore Public Bookmarks' })).toBeVisible()
    await page.goto('/explore')
    const first = page.getByRole('main').getByRole('article').first()
    await expect(first).toBeVisible()
    await first.getByRole('link').first().click()
    await page.waitForURL(/\/bookmarks\/\d+/)
    const head = (selector: string, attribute = 'content') =>
      page.locator(`head ${selector}`).getAttribute(attribute)
    expect(await page.title()).not.toBe('')
    expect(await head('link[rel=canonical]', 'href')).toBe(page.url())
    for (const name of ['og:title', 'og:type', 'og:url', 'og:site_name']) {
      expect(await head(`meta[property="${name}"]`), name).toBeTruthy()
    }
    for (const name of ['description', 'twitter:card', 'twitter:title']) {
      expect(await head(`meta[name="${name}"]`), name).toBeTruthy()
    }
    const json = await page.locator('script[type="application/ld+json"]').first().textContent()
    expect(JSON.parse(json ?? '')).toMatchObject({ '@context': 'https://schema.org', '@type': 'VideoObject' })
  })
})
