/** The marks on the toolbar icon: saved pages, pending saves, and a lost connection. */
import { browser } from './browser.ts'
import { productName } from './names.ts'
import { readStored } from './stored.ts'

const defaultTitle = `Save to ${productName}`

/** Marks a tab as saved, until it shows another page. */
export async function markTabSaved(tabId: number): Promise<void> {
  const title = 'Already in your bookmarks'
  try {
    await Promise.all([
      browser.action.setBadgeText({ tabId, text: '✓' }),
      browser.action.setTitle({ tabId, title: `${defaultTitle}. ${title}.` }),
    ])
  } catch {
    // The tab was closed.
  }
}

/** Shows the number of pending saves, or that the user must connect again. */
export async function showState(): Promise<void> {
  const [connection, saves] = await Promise.all([readStored('connection'), readStored('pendingSaves')])
  const isLost = connection !== null && connection.token === null
  const parts = [
    ...(isLost ? ['Connect again'] : []),
    ...(saves.length > 0 ? [`${saves.length} not sent yet`] : []),
  ]
  await browser.action.setBadgeText({ text: isLost ? '!' : saves.length > 0 ? String(saves.length) : '' })
  await browser.action.setTitle({ title: [defaultTitle, ...parts].join('. ') })
}

/** Sets the colours of the theme of the site, whose variables are not available here. */
export async function setBadgeColours(): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#e8662e' })
  await browser.action.setBadgeTextColor?.({ color: '#221105' })
}
