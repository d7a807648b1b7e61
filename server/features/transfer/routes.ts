import { Readable } from 'node:stream'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  downloadExport,
  getExport,
  getImport,
  listExports,
  listImports,
  startExport,
  startImport,
} from '@reelmark/contract/transfer.ts'
import type { FastifyInstance } from 'fastify'
import { mount, mountUpload } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import {
  findExportFile,
  startExport as insertExport,
  getExport as readExport,
  readExportFile,
  listExports as readExports,
} from './export-queries.ts'
import {
  discardImport,
  isImporting,
  queueImport,
  getImport as readImport,
  listImports as readImports,
} from './import-queries.ts'
import { runImportJob, writeExportJob } from './jobs.ts'
import { exportFileName } from './rules.ts'
import { tooLargeError, uploadImport } from './upload-import.ts'

export function registerExports(app: FastifyInstance): void {
  // Reads from the primary, not a replica, because clients poll the progress every second.
  const { db, jobs } = app.deps

  mount(
    app,
    startExport,
    async ({ viewer }) =>
      db.begin(async (tx) => {
        const started = await insertExport(tx, viewer.id)
        if (started === null) throw new ApiError('already-running')
        await jobs.send(tx, writeExportJob, { export_id: started.id })
        return started
      }),
    { limit: 'export' },
  )

  mount(app, listExports, async ({ input, viewer }) => {
    const { count, results } = await readExports(db, viewer.id, offsetOf(input.query))
    return pageReply(listExports, input, count, results)
  })

  mount(app, getExport, async ({ input, viewer }) => {
    const found = await readExport(db, viewer.id, input.params.id)
    if (found === null) throw new ApiError('not-found')
    return found
  })

  mount(
    app,
    downloadExport,
    async ({ input, viewer, reply }) => {
      const { id } = input.params
      const file = await findExportFile(db, viewer.id, id)
      if (file === null) throw new ApiError('not-found')
      reply.headers({
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${exportFileName(file)}"`,
        'content-length': String(file.size),
        'cache-control': 'no-store',
      })
      return Readable.from(readExportFile(db, { id, size: file.size }), { objectMode: false })
    },
    { limit: 'download' },
  )
}

export function registerImports(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mountUpload(
    app,
    startImport,
    async ({ viewer, request, source }) => {
      // Refuses what is known before the file is read.
      if (Number(request.headers['content-length'] ?? 0) > limits.importMax) throw tooLargeError()
      if (await isImporting(db, viewer.id)) throw new ApiError('already-running')
      const received = await uploadImport(db, viewer.id, source)
      const started = await db.begin(async (tx) => {
        const row = await queueImport(tx, { ...received, user_id: viewer.id })
        if (row !== null) await jobs.send(tx, runImportJob, { import_id: row.id })
        return row
      })
      if (started !== null) return started
      await discardImport(db, received.id)
      throw new ApiError('already-running')
    },
    { limit: 'import' },
  )

  mount(app, listImports, async ({ input, viewer }) => {
    const { count, results } = await readImports(db, viewer.id, offsetOf(input.query))
    return pageReply(listImports, input, count, results)
  })

  mount(app, getImport, async ({ input, viewer }) => {
    const found = await readImport(db, viewer.id, input.params.id)
    if (found === null) throw new ApiError('not-found')
    return found
  })
}
