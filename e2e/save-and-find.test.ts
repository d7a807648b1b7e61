/** A pasted link becomes a bookmark that somebody else finds and watches: what Reelmark is for. */
import { expect, expectAccessible, newAccount, newName, registerBy, test } from './test.ts'

test('a link is pasted, extracted, reviewed and saved; a second person finds it and watches', async ({
  page,
  otherPage,
  web,
}) => {
  const ana = newAccount('ana')
  await registerBy(page, ana)
  const title = `The Lighthouse at Dusk ${newName('')}`

  await page.goto('/bookmarks/create')
  await page
    .getByRole('tab', { name: 'Add via URL' })
    .or(page.getByRole('link', { name: 'Add via URL' }))
    .click()
  await expectAccessible(page)
  await page.getByLabel('Video URL').fill(web.film)
  await page.getByRole('button', { name: 'Extract Info' }).click()
  await expect(page.getByText('Review & Save')).toBeVisible()
  await expect(page.getByLabel('Video Title')).toHaveValue('The Lighthouse at Dusk')
  await expectAccessible(page)
  await page.getByLabel('Video Title').fill(title)
  await page.getByLabel('Tags').fill('sea, lighthouse')
  await page.getByLabel('Collection').selectOption({ label: 'My Vault' })
  await page.getByLabel('Channel').selectOption({ label: 'General' })
  await page.getByRole('button', { name: 'Save Bookmark' }).click()
  await expect(page.getByText('Bookmark saved successfully!')).toBeVisible()
  await page.getByRole('link', { name: 'View Bookmark' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()

  await otherPage.goto('/')
  await otherPage.getByRole('main').getByRole('searchbox').fill('lighthouse dusk')
  await otherPage.getByRole('main').getByRole('searchbox').press('Enter')
  await expect(otherPage).toHaveURL(/\/explore\?q=lighthouse/)
  await otherPage.getByRole('link', { name: title }).first().click()
  await expect(otherPage.getByRole('heading', { name: title })).toBeVisible()
  await expect(otherPage.getByRole('link', { name: ana.username }).first()).toBeVisible()
  await expectAccessible(otherPage)

  // A host nobody vouches for: nothing is loaded before a click that names it.
  await expect(otherPage.locator('iframe')).toHaveCount(0)
  await otherPage.getByRole('button', { name: /player\.coastfilms\.example/ }).click()
  const outer = otherPage.frameLocator('iframe')
  await expect(outer.frameLocator('iframe').getByText('A player')).toBeVisible()
})

test('a video of a known host is added by hand and plays from its own player', async ({
  page,
  otherPage,
}) => {
  await registerBy(page, newAccount('bea'))
  const title = `Sintel ${newName('')}`
  await page.goto('/bookmarks/create')
  await expect(page.getByText('Fill the form to see a preview.')).toBeVisible()
  await page.getByLabel('Source URL').fill('https://www.youtube.com/watch?v=eRsGyueVLvQ')
  await page.getByLabel('Thumbnail URL').fill('https://i.ytimg.com/vi/eRsGyueVLvQ/hqdefault.jpg')
  await page.getByLabel('Embed URL').fill('https://www.youtube.com/embed/eRsGyueVLvQ')
  await page.getByLabel('Video Title').fill(title)
  await page.getByLabel('Orientation').selectOption({ label: 'SFW' })
  await page.getByLabel('Tags').fill('animation, blender')
  await page.getByLabel('Collection').selectOption({ label: 'My Vault' })
  await page.getByLabel('Channel').selectOption({ label: 'General' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save Bookmark & Video' }).click()
  await expect(page).toHaveURL(/\/bookmarks\/\d+$/)
  await expect(page.getByRole('heading', { name: title })).toBeVisible()

  await otherPage.goto(new URL(page.url()).pathname)
  await expect(otherPage.locator('iframe')).toHaveCount(0)
  await otherPage.getByRole('button', { name: /play/i }).click()
  const player = otherPage.locator('iframe')
  await expect(player).toHaveAttribute('src', /^https:\/\/www\.youtube(-nocookie)?\.com\/embed\/eRsGyueVLvQ/)
  await expect(player).toHaveAttribute('sandbox', /allow-scripts/)
  await expect(player).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin')
})

test('a link that tells nothing says so, and what was typed stays', async ({ page, web, expectedNoise }) => {
  expectedNoise.push(/422/)
  await registerBy(page, newAccount('cy'))
  await page.goto(`/bookmarks/create?url=${encodeURIComponent(web.nothing)}`)
  await page.getByRole('button', { name: 'Extract Info' }).click()
  await expect(page.getByText('Failed to extract metadata from URL')).toBeVisible()
  await expect(page.getByLabel('Video URL')).toHaveValue(web.nothing)
})

test('a private bookmark is there for its owner and for nobody else', async ({
  page,
  otherPage,
  expectedNoise,
}) => {
  expectedNoise.push(/404/)
  await registerBy(page, newAccount('dee'))
  const title = `Secret garden ${newName('')}`
  await page.goto('/bookmarks/create')
  await page.getByLabel('Source URL').fill(`https://vimeo.com/${Math.floor(Math.random() * 1e8) + 1e8}`)
  await page.getByLabel('Thumbnail URL').fill('https://i.vimeocdn.com/video/1.jpg')
  await page.getByLabel('Embed URL').fill('https://player.vimeo.com/video/1')
  await page.getByLabel('Video Title').fill(title)
  await page.getByLabel('Orientation').selectOption({ label: 'SFW' })
  await page.getByLabel('Collection').selectOption({ label: 'My Vault' })
  await page.getByLabel('Channel').selectOption({ label: 'General' })
  await page.getByLabel('Access').selectOption({ label: 'Private' })
  await page.getByRole('button', { name: 'Save Bookmark & Video' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  // Also when the server rendered the page for nobody.
  await page.reload()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()

  const there = await otherPage.goto(new URL(page.url()).pathname)
  expect(there?.status()).toBe(404)
  await expect(otherPage.getByText('Error Loading Bookmark')).toBeVisible()
  await otherPage.goto(`/explore?q=${encodeURIComponent(title)}`)
  await expect(otherPage.getByRole('link', { name: title })).toHaveCount(0)
})
