import { uploadImport } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { deleteUpload, listUploads } from '@reelmark/contract/uploads.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { api } from '../../../shared/api/api.ts'
import { uploadFile } from '../../../shared/api/upload-file.ts'
import {
  setUploadProgress,
  type UploadProgress,
  useUploadProgress,
} from '../../../shared/api/upload-progress.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { onIdentityChange } from '../../../shared/session/session-store.ts'
import { createListeners } from '../../../ui/create-listeners.ts'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { toast } from '../../../ui/toast.tsx'
import { importQuery, importsQuery, uploadsQuery } from '../queries.ts'
import { importFieldErrors } from './import-errors.ts'
import { sendInChunks } from './send-in-chunks.ts'

export interface UploadFailure {
  text: string
  /** Errors of single items in the file. */
  details: readonly string[]
  /** The file, if an unfinished upload of another one can be discarded for it. */
  blocked?: File
}

export interface ImportUpload {
  /** The file that is being sent; null while none is. */
  progress: UploadProgress | null
  failure: UploadFailure | null
  send: (file: File) => void
  /** Discards the unfinished upload of another file and sends this one. */
  replace: (file: File) => void
  cancel: () => void
}

/** The page that shows the upload. */
const uploadPage = '/settings/data'

// Outside components, because an upload continues while the user visits other pages.
let failure: UploadFailure | null = null
let controller: AbortController | null = null
const { subscribe, notify } = createListeners()

function setFailure(next: UploadFailure | null): void {
  failure = next
  notify()
}

let isFollowingIdentity = false

/** Ends uploads when another user logs in: that user neither continues them nor sees their names and errors. */
function followIdentity(): void {
  if (isFollowingIdentity) return
  isFollowingIdentity = true
  onIdentityChange(() => {
    controller?.abort()
    setFailure(null)
  })
}

/** Uploads a file to import, and opens its review afterwards. */
export function useImportUpload(): ImportUpload {
  const client = useQueryClient()
  const router = useRouter()
  const progress = useUploadProgress()
  const shownFailure = useSyncExternalStore(
    subscribe,
    () => failure,
    () => null,
  )
  return {
    progress,
    failure: shownFailure,
    send: (file) => void upload(file, client, router),
    replace: (file) => void upload(file, client, router, { isReplacing: true }),
    cancel: () => controller?.abort(),
  }
}

/** Uploads a file; never throws. */
async function upload(
  file: File,
  client: QueryClient,
  router: AnyRouter,
  { isReplacing = false } = {},
): Promise<void> {
  followIdentity()
  setFailure(null)
  const tooLarge = describeSize(file)
  if (tooLarge !== null) return setFailure({ text: tooLarge, details: [] })
  const { name, size: total } = file
  controller = new AbortController()
  const { signal } = controller
  const onProgress = (sent: number, waitsFor: UploadProgress['waitsFor'] = null) =>
    setUploadProgress({ name, sent, total, waitsFor })
  onProgress(0)
  // Leaving the site would interrupt the upload, so the browser asks first. Other pages of the site do not.
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  const isShown = () => router.history.location.pathname === uploadPage
  try {
    if (isReplacing) await discardUnfinished()
    const created =
      file.size > limits.uploadChunkMax
        ? await sendInChunks(file, { onProgress, signal })
        : await uploadFile(uploadImport, {}, file, { onProgress, signal })
    client.setQueryData(importQuery(created.id).queryKey, created)
    const href = `${uploadPage}/imports/${created.id}`
    const open = () => router.history.push(href)
    if (isShown()) open()
    else toast('Your import is ready to review.', { action: { label: 'Review', href, run: open } })
  } catch (error) {
    if (!signal.aborted) {
      const problem = await describeFailure(error, file)
      setFailure(problem)
      if (!isShown()) {
        const run = () => router.history.push(uploadPage)
        toast(`The upload failed. ${problem.text}`, {
          tone: 'danger',
          action: { label: 'View', href: uploadPage, run },
        })
      }
    }
  } finally {
    window.removeEventListener('beforeunload', ask)
    setUploadProgress(null)
    void client.invalidateQueries(importsQuery)
    void client.invalidateQueries(uploadsQuery)
  }
}

/** Returns why a file is too large; null if it is not. */
function describeSize({ name, size }: File): string | null {
  const isZip = /\.zip$/i.test(name)
  const max = isZip ? limits.uploadMax : limits.importMax
  if (size <= max) return null
  const advice = isZip ? ' Open the zip file and choose the file with your data in it.' : ''
  return `This file is too large (${formatBytes(size)}). The limit is ${formatBytes(max)}.${advice}`
}

/** Deletes the unfinished upload of the user, which another tab may still send. */
async function discardUnfinished(): Promise<void> {
  const { results } = await api(listUploads, { query: {} })
  for (const { id } of results) await api(deleteUpload, { params: { id } })
}

/** Returns the name of the file of an unfinished upload; null without one, or if the request fails. */
async function findUnfinished(): Promise<string | null> {
  const uploads = await api(listUploads, { query: {} }).catch(() => null)
  return uploads?.results[0]?.name ?? null
}

async function describeFailure(error: unknown, file: File): Promise<UploadFailure> {
  const details = importFieldErrors(error)
  if (details.length > 0) return { text: "Some items in this file couldn't be read:", details }
  if (isApiError(error, 'already-running')) {
    const unfinished = await findUnfinished()
    if (unfinished === null) {
      return { text: 'Another file is being imported or reviewed. Finish or discard it first.', details: [] }
    }
    const text = `The upload of ${unfinished} is unfinished. It may still be running in another tab.`
    return { text, details: [], blocked: file }
  }
  return { text: errorMessage(error), details: [] }
}
