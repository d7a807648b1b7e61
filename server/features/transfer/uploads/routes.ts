/** Uploads of files to import, in chunks or with one request. A user uploads one file at a time, however it is sent. */
import { uploadImport } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import * as contract from '@reelmark/contract/uploads.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { mountUpload } from '../../../core/http/upload-endpoints.ts'
import * as imports from '../import-queries.ts'
import { openReview } from '../review-queries.ts'
import { clampTimestamp } from '../rules.ts'
import { uploadAnyFile } from '../upload-foreign.ts'
import {
  readBody,
  tooLargeError,
  type UploadedImport,
  uploadImport as uploadOwnFile,
} from '../upload-import.ts'
import * as queries from './queries.ts'

export function registerUploads(app: FastifyInstance): void {
  const { db } = app.deps

  /** Lists a file that was stored as an import in review. @throws ApiError('already-running') */
  const listReview = async (userId: number, received: UploadedImport) => {
    const opened = await db.begin((tx) => openReview(tx, { ...received, user_id: userId }))
    if (opened !== null) return opened
    await imports.deleteUpload(db, received.id)
    throw new ApiError('already-running')
  }

  /** @throws ApiError('already-running') while another upload is active, or an import in review or not finished. */
  const startUpload = async (userId: number, file: queries.FileDescription, isReading: boolean) => {
    if (await imports.hasOpenImport(db, userId)) throw new ApiError('already-running')
    const started = await db.begin((tx) => queries.startUpload(tx, userId, file, isReading))
    if (started === null) throw new ApiError('already-running')
    return started
  }

  mountUpload(
    app,
    uploadImport,
    async ({ viewer, request, source }) => {
      // Refuses what is known before the file is read.
      if (Number(request.headers['content-length'] ?? 0) > limits.importMax) throw tooLargeError()
      const { id } = await startUpload(
        viewer.id,
        { name: '', size: limits.importMax, modified_at: null },
        true,
      )
      const isOwnFormat = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
      return queries.readUpload(db, id, false, async () => {
        const received = await (isOwnFormat ? uploadOwnFile : uploadAnyFile)(db, viewer.id, readBody(source))
        return listReview(viewer.id, received)
      })
    },
    { limit: 'import' },
  )

  mount(
    app,
    contract.startUpload,
    async ({ input: { body }, viewer }) => {
      if (body.size > limits.uploadMax) throw tooLargeError(limits.uploadMax)
      return startUpload(
        viewer.id,
        { ...body, modified_at: clampTimestamp(body.modified_at, Date.now()) },
        false,
      )
    },
    { limit: 'start-upload' },
  )

  mount(app, contract.listUploads, async ({ input, viewer }) => {
    const { count, results } = await queries.listUploads(db, viewer.id, offsetOf(input.query))
    return pageReply(contract.listUploads, input, count, results)
  })

  mountUpload(
    app,
    contract.addUploadChunk,
    async ({ input: { params, query }, viewer, source }) => {
      const data = await readBytes(source)
      const stored = await queries.addChunk(db, viewer.id, params.id, { offset: query.offset, data })
      if (typeof stored === 'string') throw new ApiError(stored)
      return stored
    },
    { limit: 'upload-chunk' },
  )

  mount(
    app,
    contract.importUpload,
    async ({ input: { params }, viewer }) => {
      if (await imports.hasOpenImport(db, viewer.id)) throw new ApiError('already-running')
      const claim = await queries.claimUpload(db, viewer.id, params.id)
      if (claim !== 'claimed') throw new ApiError(claim)
      return queries.readUpload(db, params.id, true, async () => {
        const received = await uploadAnyFile(db, viewer.id, queries.readChunks(db, params.id))
        return listReview(viewer.id, received)
      })
    },
    { limit: 'import' },
  )

  mount(app, contract.deleteUpload, async ({ input: { params }, viewer }) => {
    if (!(await queries.deleteUpload(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })
}

/** @throws ApiError('too-large'); ApiError('malformed-body') if the chunk is empty or breaks off. */
async function readBytes(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of source) {
      length += piece.length
      if (length > limits.uploadChunkMax) break
      pieces.push(piece)
    }
  } catch {
    throw new ApiError('malformed-body')
  }
  if (length > limits.uploadChunkMax) throw new ApiError('too-large')
  if (length === 0) throw new ApiError('malformed-body')
  return Buffer.concat(pieces)
}
