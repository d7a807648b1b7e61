/** Correcting a bookmark: picture, player, details fetched again, private note; and repairs by moderators. */
import { getBookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import {
  type Account,
  activate,
  chooseAction,
  expect,
  expectAccessibleInBothThemes,
  screens,
  test,
  uniqueName,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

async function save(site: Site, owner: Account, source_url: string, title: string) {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const body = {
    video: { source_url, title, tags: [uniqueName('tag')], embed_url: 'https://player.example.org/old' },
    bookmark: { collection_id: results[0]?.id ?? 0, channel_id: null },
  }
  const { id, video } = await call(httpTransport(site), saveBookmark, { body }, token)
  return { id, video: video.id, token, path: `/bookmarks/${id}` }
}

for (const { name, device } of screens) {
  const { width } = device.viewport
  test.describe(name, () => {
    test.use(device)

    test('the owner fetches details again, chooses another picture, and writes a private note', async ({
      page,
      otherPage,
      site,
      websites,
    }) => {
      const ana = await createAccount(site, 'ana')
      const { id, token, path } = await save(site, ana, `${websites.film}?wrong=${width}`, 'A wrong title')
      await openSignedIn(page, site, ana, path)
      await chooseAction(page, 'Edit')
      const edit = page.getByRole('dialog', { name: 'Edit Bookmark' })
      await expect(edit.getByLabel('Title')).toBeFocused()

      await activate(edit.getByRole('button', { name: 'Fetch again' }), 'Enter')
      const found = edit.getByRole('group', { name: /^Use from/ })
      await expect(found.getByText('The Lighthouse at Dusk')).toBeVisible()
      await expect(found.getByText('40:12')).toBeVisible()
      await expect(found.locator('img')).toBeVisible()
      await expectAccessibleInBothThemes(page)
      await activate(found.getByRole('checkbox', { name: /^Title/ }), 'Space')
      await activate(found.getByRole('checkbox', { name: /^Duration/ }), 'Space')
      await activate(found.getByRole('button', { name: 'Use selected' }), 'Enter')
      await expect(edit.getByText('2 details replaced. Save to confirm.')).toBeVisible()
      await expect(edit.getByLabel('Title')).toHaveValue('The Lighthouse at Dusk')

      await activate(edit.getByRole('radio', { name: "Choose from the site's pictures" }), 'Space')
      await edit.getByRole('radio', { name: 'Picture 1 of 1' }).check({ force: true })
      await expect(edit.getByRole('group', { name: "The site's pictures" }).locator('img')).toBeVisible()
      await edit.getByLabel('Private note').fill('Show it to Mara')
      await activate(edit.getByRole('button', { name: 'Save' }), 'Enter')
      await expect(edit).toBeHidden()
      await expect(page.getByRole('heading', { name: 'The Lighthouse at Dusk', level: 1 })).toBeVisible()
      await expect(page.getByText('Show it to Mara')).toBeVisible()

      await otherPage.goto(path)
      await expect(otherPage.getByRole('heading', { name: 'The Lighthouse at Dusk', level: 1 })).toBeVisible()
      await expect(otherPage.getByText('Show it to Mara')).toBeHidden()

      await chooseAction(page, 'Edit')
      await activate(edit.getByRole('radio', { name: 'Upload a picture' }), 'mouse')
      await activate(edit.getByRole('button', { name: 'Save' }), 'mouse')
      await expect(edit.getByText('Choose a picture.')).toBeVisible()
      const buffer = await (await page.request.get(websites.pictureUrl('upload'))).body()
      await edit.getByLabel('Picture file').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
      await expectAccessibleInBothThemes(page)
      await activate(edit.getByRole('button', { name: 'Save' }), 'mouse')
      await expect(edit).toBeHidden()
      const { owner_facts, video } = await call(httpTransport(site), getBookmark, { params: { id } }, token)
      expect(owner_facts).toMatchObject({ has_uploaded_thumbnail: true, duration: 2412 })
      const picture = await page.request.get(site.url + video.thumbnail_url)
      expect(picture.headers()['content-type']).toBe('image/webp')
    })

    test('the form to add shows the real picture and shape, and that others saved the video', async ({
      page,
      site,
      websites,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const link = `${websites.film}?known=${width}`
      await save(site, mara, link, 'Mine')
      await openSignedIn(page, site, ana, '/bookmarks/create?tab=manual')
      await page.getByLabel('Source URL').fill(link)
      await expect(page.getByText('1 other user saved this video.')).toBeVisible()
      await page.getByLabel('Thumbnail URL').fill(websites.pictureUrl(`shape${width}`))
      const preview = page.getByRole('article', { name: 'Preview' })
      await expect(preview.locator('img[src^="data:image/webp"]').first()).toBeVisible()
      await expect(preview.getByText('Landscape')).toBeVisible()
      await expectAccessibleInBothThemes(page)
    })

    test('a moderator repairs a player and a picture instead of removing the video, and edits both', async ({
      page,
      site,
      websites,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const mod = await createAccount(site, 'mod')
      await runAdmin(site, 'promote', mod.username)
      const saved = await save(site, mara, `${websites.article}?broken=${width}`, `Broken ${width}`)
      const body = { video_id: saved.video, bookmark_id: saved.id, report_type: 'broken_embed' as const }
      await call(httpTransport(site), createReport, { body }, await logInForToken(site, ana))
      await openSignedIn(page, site, mod, `/moderator?case=video-${saved.video}`)
      await activate(page.getByRole('button', { name: /^Repair/ }), 'Enter')
      const dialog = page.getByRole('dialog', { name: 'Repair' })
      await dialog.getByLabel('Embed URL').fill('nothing')
      await activate(dialog.getByRole('button', { name: 'Repair' }), 'Enter')
      await expect(dialog.getByText('Enter a full URL starting with https://')).toBeVisible()
      await expectAccessibleInBothThemes(page)
      await dialog.getByLabel('Embed URL').fill('https://player.example.org/works')
      await activate(dialog.getByRole('button', { name: 'Repair' }), 'Enter')
      await expect(page.getByText(/^Repaired/)).toBeVisible()
      const { video } = await call(
        httpTransport(site),
        getBookmark,
        { params: { id: saved.id } },
        saved.token,
      )
      expect(video).toMatchObject({ embed_url: 'https://player.example.org/works', status: 'visible' })

      const find = async () =>
        (await call(httpTransport(site), getBookmark, { params: { id: saved.id } }, saved.token)).video
      const before = (await find()).thumbnail_url
      await test.step('and a missing picture', async () => {
        const report = { ...body, report_type: 'broken_thumbnail' as const }
        await call(httpTransport(site), createReport, { body: report }, await logInForToken(site, ana))
        await page.goto(`/moderator?case=video-${saved.video}`)
        await activate(page.getByRole('button', { name: /^Repair/ }), 'mouse')
        await activate(dialog.getByRole('radio', { name: 'Picture at a link' }), 'Space')
        await dialog.getByLabel('Picture link').fill(websites.pictureUrl(`repaired${width}`))
        await activate(dialog.getByRole('button', { name: 'Repair' }), 'mouse')
        await expect(page.getByText(/^Repaired/)).toBeVisible()
        await expect.poll(async () => (await find()).thumbnail_url).not.toBe(before)
      })
      await test.step('a moderator replaces picture and player on the page of a bookmark', async () => {
        const repaired = (await find()).thumbnail_url
        await page.goto(saved.path)
        await activate(page.getByRole('button', { name: 'Edit Video' }), 'Enter')
        const edit = page.getByRole('dialog', { name: 'Edit Video & Bookmark' })
        await activate(edit.getByRole('radio', { name: 'Picture at a link' }), 'Space')
        await edit.getByLabel('Picture link').fill(websites.pictureUrl(`replaced${width}`))
        await edit.getByLabel('Embed URL').fill('https://player.example.org/better')
        await activate(edit.getByRole('button', { name: 'Save' }), 'Enter')
        await expect(page.getByText('Video and bookmark updated.')).toBeVisible()
        await expect.poll(async () => (await find()).thumbnail_url).not.toBe(repaired)
        expect(await find()).toMatchObject({ embed_url: 'https://player.example.org/better' })
      })
    })
  })
}
