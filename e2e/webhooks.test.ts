/** Settings: a webhook is created, tested, turned off and deleted, on a phone and on a desktop window. */
import { createAccount, openSignedIn } from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 800 } })

test('a webhook is created, tested, turned off and deleted', async ({ page, site, websites }) => {
  const url = `http://${websites.host}/film`
  await openSignedIn(page, site, await createAccount(site), '/settings/webhooks')
  await expect(page.getByText('No webhooks yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'URL' }).fill('not a link')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByText('Enter a URL that starts with https:// or http://.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url)
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByText(/^whsec_/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: `Events sent to ${url}` }).click()
  await dialog.getByRole('button', { name: 'Send a test' }).click()
  await expect(dialog.getByText('webhook.test', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Delivered', { exact: true })).toBeVisible()
  await expect(dialog.getByText('webhook.test: Delivered.')).toHaveRole('status')
  await expect(dialog.getByText('Response 200')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: `Turn off ${url}` }).click()
  await expect(page.getByText('Off', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: `Delete ${url}` }).click()
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByText('No webhooks yet.')).toBeVisible()
  await expect(page.getByRole('main').locator(':focus')).toContainText('No webhooks yet.')
})
