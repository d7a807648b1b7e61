import { type Import, uploadImport } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { uploadFile } from '../../../shared/api/upload-file.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { toast } from '../../../ui/toast.tsx'
import { importQuery, importsQuery } from '../queries.ts'
import { importFieldErrors } from './import-errors.ts'

export interface UploadFailure {
  text: string
  /** Errors of single items in the file. */
  details: readonly string[]
}

export interface ImportUpload {
  /** The file that is being sent, in bytes; null while none is. */
  progress: { name: string; sent: number; total: number } | null
  failure: UploadFailure | null
  send: (file: File) => void
  cancel: () => void
}

/** Uploads a file to import, and opens its review afterwards. */
export function useImportUpload(): ImportUpload {
  const client = useQueryClient()
  const router = useRouter()
  const [progress, setProgress] = useState<ImportUpload['progress']>(null)
  const [failure, setFailure] = useState<UploadFailure | null>(null)
  const current = useRef<AbortController | null>(null)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  const isSending = progress !== null
  useEffect(() => {
    if (!isSending) return
    // Leaving the site would end the upload, so the browser asks first. Other pages of the site do not end it.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])

  const upload = useApiMutation(
    (file: File): Promise<Import> => {
      const controller = new AbortController()
      current.current = controller
      const onProgress = (sent: number) => setProgress({ name: file.name, sent, total: file.size })
      return uploadFile(uploadImport, file, { onProgress, signal: controller.signal })
    },
    {
      onSuccess(created) {
        setProgress(null)
        client.setQueryData(importQuery(created.id).queryKey, created)
        void client.invalidateQueries(importsQuery)
        const href = `/settings/data/imports/${created.id}`
        const open = () => router.history.push(href)
        if (isMounted.current) open()
        else toast('Your import is ready to review.', { action: { label: 'Review', href, run: open } })
      },
      onError(error) {
        setProgress(null)
        if (current.current?.signal.aborted === true) return
        const details = importFieldErrors(error)
        const text = details.length > 0 ? "Some items in this file couldn't be read:" : errorMessage(error)
        setFailure({ text, details })
        void client.invalidateQueries(importsQuery)
      },
    },
  )

  function send(file: File): void {
    setFailure(null)
    if (file.size > limits.importMax) {
      const [size, max] = [formatBytes(file.size), formatBytes(limits.importMax)]
      setFailure({ text: `This file is too large (${size}). The limit is ${max}.`, details: [] })
      return
    }
    setProgress({ name: file.name, sent: 0, total: file.size })
    void upload.run(file)
  }

  return { progress, failure, send, cancel: () => current.current?.abort() }
}
