/** Passes what was pasted on to the add page, through its drafts. */
import { draftName, readDraft, writeDraft } from '../../../shared/forms/draft-store.ts'

/** Adds a text with several links to those that the add page shows. */
export function enterManyLinks(username: string, text: string): void {
  const name = draftName(username, 'add-bookmark-links')
  const before = readDraft(name, 'localStorage') as { text?: unknown } | null
  const texts = [before?.text, text].filter((part) => typeof part === 'string' && part !== '')
  writeDraft(name, { ...before, text: texts.join('\n') }, 'localStorage')
}

/** Enters the link of the save sheet, and its title, in the manual form of the add page. */
export function enterManually(username: string): void {
  const sheet = readDraft(draftName(username, 'add-bookmark-url'), 'sessionStorage') as {
    url?: string
    edited?: { title?: string }
    extraction?: { video: { title: string } } | null
  } | null
  if (sheet === null || !sheet.url) return
  const name = draftName(username, 'add-bookmark-manual')
  const title = sheet.edited?.title ?? sheet.extraction?.video.title ?? ''
  writeDraft(
    name,
    { ...readDraft(name, 'sessionStorage'), source_url: sheet.url, ...(title !== '' && { title }) },
    'sessionStorage',
  )
}
