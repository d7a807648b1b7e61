import type { TimedNote } from '@reelmark/contract/timed-notes.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { NoteEditor } from './note-editor.tsx'

const foam: TimedNote = { id: 1, seconds: 12, text: 'The foam', access: 'private' }
const wave: TimedNote = { id: 2, seconds: 20, text: 'The wave', access: 'private' }
const path = `/bookmarks/${sampleBookmark.id}/notes/`
const user = userEvent.setup()

beforeEach(() => {
  resetBrowser()
  fakeDialogs()
  signInAs('ana')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function startServer() {
  return fakeApi(({ method, path: requested, body }) => {
    if (method === 'GET' && requested === path) return [200, { notes: [foam, wave] }]
    if (method === 'POST' && requested === path) return [201, { id: 3, ...(body as object) }]
    if (method === 'PATCH') return [200, { ...foam, ...(body as object) }]
    if (method === 'DELETE') return [204]
    return [404, { code: 'not-found' }]
  })
}

const renderNotes = () => renderPage(<NoteEditor bookmark={sampleBookmark} />)
const add = () => screen.getByRole('button', { name: 'Add a note at a time' })
const editFoam = () => screen.findByRole('button', { name: 'Edit note at 0:12' })
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Note')
const timeField = () => screen.getByLabelText<HTMLInputElement>('Time')

describe('a note that is being written', () => {
  it('survives Escape, a reload and the opening of another note', async () => {
    startServer()
    await renderNotes()
    await user.click(add())
    await user.clear(timeField())
    await user.type(timeField(), '0:30')
    await user.type(field(), 'My thought')
    await user.click(await editFoam())
    expect(field().value).toBe('The foam')
    await user.type(field(), ' is white')
    await user.keyboard('{Escape}')
    cleanup()
    await renderNotes()
    await user.click(add())
    expect([timeField().value, field().value]).toEqual(['0:30', 'My thought'])
    await user.click(await editFoam())
    expect(field().value).toBe('The foam is white')
  })

  it('is discarded by Cancel and after it was saved', async () => {
    startServer()
    await renderNotes()
    await user.click(add())
    await user.type(field(), 'My thought')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(add())
    expect(field().value).toBe('')
    await user.type(field(), 'My thought')
    await user.click(screen.getByRole('button', { name: 'Save note' }))
    await screen.findByText('My thought', { exact: false, selector: 'p' })
    await user.click(add())
    expect(field().value).toBe('')
  })

  it('is not stored without a text or a change, so that later changes of the note and of the time are shown', async () => {
    startServer()
    await renderNotes()
    await user.click(await editFoam())
    await user.type(field(), '!{Backspace}')
    await user.click(add())
    await user.type(timeField(), '0')
    await user.type(field(), ' {Escape}')
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  it('returns the focus to the button that opened it', async () => {
    startServer()
    await renderNotes()
    await user.click(await editFoam())
    await user.keyboard('{Escape}')
    await waitFor(async () => expect(document.activeElement).toBe(await editFoam()))
    await user.click(await editFoam())
    await user.type(field(), '!')
    await user.click(screen.getByRole('button', { name: 'Save note' }))
    await waitFor(async () => expect(document.activeElement).toBe(await editFoam()))
    for (const end of ['Cancel', 'Save note']) {
      await user.click(add())
      await user.type(field(), 'My thought')
      await user.click(screen.getByRole('button', { name: end }))
      await waitFor(() => expect(document.activeElement).toBe(add()))
    }
    await user.click(add())
    await user.click(await editFoam())
    expect(document.activeElement).toBe(field())
  })

  it('is not cut when it is too long, and says so', async () => {
    startServer()
    await renderNotes()
    await user.click(add())
    await user.click(field())
    await user.paste('😀'.repeat(501))
    expect(field().value).toBe('😀'.repeat(501))
    expect(screen.getByText('1 character over the limit')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save note' }).disabled).toBe(true)
    await user.clear(field())
    await user.paste('😀'.repeat(400))
    expect(field().value).toBe('😀'.repeat(400))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save note' }).disabled).toBe(false)
  })
})

describe('a note', () => {
  it('is deleted after confirmation, while another one is being written', async () => {
    const requests = startServer()
    const deletions = () =>
      requests.filter(({ method }) => method === 'DELETE').map((request) => request.path)
    await renderNotes()
    await screen.findByText('The foam', { exact: false })
    await user.click(add())
    await user.type(field(), 'My thought')
    const ask = async (answer: string) => {
      await user.click(screen.getByRole('button', { name: 'Delete note at 0:12' }))
      const dialog = screen.getByRole('dialog', { name: 'Delete note' })
      within(dialog).getByText('Are you sure you want to delete your note at 0:12?')
      await user.click(within(dialog).getByRole('button', { name: answer }))
    }
    await ask('Cancel')
    expect(deletions()).toEqual([])
    await ask('Delete')
    await waitFor(() => expect(screen.queryByText('The foam', { exact: false })).toBeNull())
    expect(deletions()).toEqual(['/notes/1/'])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit note at 0:20' }))
    expect(field().value).toBe('My thought')
  })
})
