/** Settings: a subscription is created, changed, paused and ended. */
import { createAccount, openSignedIn } from './accounts.ts'
import { expect, expectAccessibleInBothThemes, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 800 } })

test('a subscription is created, edited, paused and ended', async ({ page, site, websites }) => {
  const url = websites.list
  await openSignedIn(page, site, await createAccount(site), '/settings/data')
  await expect(page.getByText('No subscriptions yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Web address' }).fill(url)
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await expect(dialog.getByText('Please select a collection.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Collection', { exact: true }).selectOption({ label: 'My Vault' })
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  const list = page.getByRole('list', { name: 'Subscriptions' })
  await expect(list.getByText('Saves to My Vault')).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await page.getByRole('button', { name: /^Edit / }).click()
  await dialog.getByLabel('Access').selectOption('public')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: /^Pause / }).click()
  await expect(list.getByText('Paused')).toBeVisible()
  await page.getByRole('button', { name: /^Resume / }).click()
  await expect(list.getByText('Paused')).toBeHidden()
  await page.getByRole('button', { name: /^End / }).click()
  await dialog.getByRole('button', { name: 'End subscription' }).click()
  await expect(page.getByText('No subscriptions yet.')).toBeVisible()
})
