import { Readable } from 'node:stream'
import * as contract from '@reelmark/contract/imports.ts'
import type { FastifyInstance } from 'fastify'
import { cursorPage, parsePageRequest } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import { listLink } from '../../core/video-links/entered-links.ts'
import * as queries from './import-queries.ts'
import { listReportItems, ownsReport, writeReportCsv } from './import-report.ts'
import { fetchSourceJob, runImportJob } from './jobs.ts'
import * as reviews from './review-queries.ts'
import { createSourceImport } from './sources/source-queries.ts'
import { summariseAgain } from './upload-foreign.ts'

export function registerImports(app: FastifyInstance): void {
  // Reads from the primary, not a replica, because clients poll the progress every second.
  const { db, jobs } = app.deps

  mount(
    app,
    contract.importFromUrl,
    async ({ input, viewer }) => {
      const url = listLink(input.body.url)
      const label = new URL(url).hostname
      const created = await db.begin(async (tx) => {
        const row = await createSourceImport(tx, viewer.id, { url, label })
        if (row !== null) await jobs.send(tx, fetchSourceJob, { import_id: row.id })
        return row
      })
      if (created === null) throw new ApiError('already-running')
      return created
    },
    { limit: 'import-from-url' },
  )

  mount(app, contract.listImports, async ({ input, viewer }) => {
    const { count, results } = await queries.listImports(db, viewer.id, offsetOf(input.query))
    return pageReply(contract.listImports, input, count, results)
  })

  /** @throws ApiError('not-found') */
  const readImport = async (userId: number, id: number) => {
    const found = await queries.getImport(db, userId, id)
    if (found === null) throw new ApiError('not-found')
    return found
  }
  mount(app, contract.getImport, ({ input, viewer }) => readImport(viewer.id, input.params.id))

  /** Returns the error for an import that is not in review: not found, or started already. */
  const notInReview = async (userId: number, id: number) => {
    await readImport(userId, id)
    return new ApiError('not-in-review')
  }

  mount(
    app,
    contract.updateImport,
    async ({ input: { params, body }, viewer }) => {
      const review = await reviews.readReview(db, viewer.id, params.id)
      if (review === null) throw await notInReview(viewer.id, params.id)
      const read = await summariseAgain(db, viewer.id, { id: params.id, ...review }, body.mapping)
      const updated = await reviews.updateReview(db, viewer.id, params.id, read)
      if (updated === null) throw await notInReview(viewer.id, params.id)
      return updated
    },
    { limit: 'review-import' },
  )

  mount(app, contract.startImport, async ({ input: { params, body }, viewer }) => {
    const started = await db.begin(async (tx) => {
      const row = await reviews.startImport(tx, viewer.id, params.id, body)
      if (row !== null) await jobs.send(tx, runImportJob, { import_id: row.id })
      return row
    })
    if (started === null) throw await notInReview(viewer.id, params.id)
    return started
  })

  mount(app, contract.discardImport, async ({ input: { params }, viewer }) => {
    const isDiscarded = await reviews.discardReview(db, viewer.id, params.id)
    if (!isDiscarded) throw await notInReview(viewer.id, params.id)
    return null
  })

  mount(app, contract.undoImport, async ({ input: { params }, viewer }) => {
    await readImport(viewer.id, params.id)
    const started = await db.begin(async (tx) => {
      const row = await queries.startUndo(tx, viewer.id, params.id)
      if (typeof row !== 'string') await jobs.send(tx, runImportJob, { import_id: row.id })
      return row
    })
    if (typeof started === 'string') throw new ApiError(started)
    return started
  })

  mount(app, contract.listImportRows, async ({ input, viewer }) => {
    const { params, query } = input
    const request = parsePageRequest(query)
    const found = await listReportItems(db, viewer.id, params.id, query.outcome ?? null, request)
    if (found === null) throw new ApiError('not-found')
    return cursorPage(contract.listImportRows, input, request, found.count, found.rows)
  })

  mount(
    app,
    contract.downloadImportReport,
    async ({ input: { params, query }, viewer, reply }) => {
      if (!(await ownsReport(db, viewer.id, params.id))) throw new ApiError('not-found')
      reply.headers({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="reelmark-import-${params.id}.csv"`,
        'cache-control': 'no-store',
      })
      return Readable.from(writeReportCsv(db, viewer.id, params.id, query.outcome ?? null), {
        objectMode: false,
      })
    },
    { limit: 'download' },
  )
}
