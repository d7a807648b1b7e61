import { Readable } from 'node:stream'
import { limits } from '@reelmark/contract/limits.ts'
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
import { mount, mountUpload } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import {
  startExport as begin,
  findFile,
  listExports as readExports,
  readFile,
  getExport as readOne,
} from './export-queries.ts'
import {
  beginImport,
  discardImport,
  isImporting,
  getImport as readImported,
  listImports as readImports,
} from './import-queries.ts'
import { readImport, writeExport } from './jobs.ts'
import { receiveFile, tooLarge } from './receive-file.ts'
import { fileName } from './rules.ts'

export function registerExports(app: FastifyInstance): void {
  // The primary, not a replica: how far something is, is asked by the second.
  const { db, jobs } = app.deps

  mount(
    app,
    startExport,
    async ({ viewer }) =>
      db.begin(async (tx) => {
        const begun = await begin(tx, viewer.id)
        if (begun === null) throw new ApiError('under-way')
        await jobs.send(tx, writeExport, { export_id: begun.id })
        return begun
      }),
    { limit: 'export' },
  )

  mount(app, listExports, async ({ input, viewer }) => {
    const { count, results } = await readExports(db, viewer.id, rangeOf(input.query))
    return answerPage(listExports, input, count, results)
  })

  mount(app, getExport, async ({ input, viewer }) => {
    const found = await readOne(db, viewer.id, input.params.id)
    if (found === null) throw new ApiError('not-found')
    return found
  })

  mount(
    app,
    downloadExport,
    async ({ input, viewer, reply }) => {
      const { id } = input.params
      const file = await findFile(db, viewer.id, id)
      if (file === null) throw new ApiError('not-found')
      reply.headers({
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName(file)}"`,
        'content-length': String(file.size),
        'cache-control': 'no-store',
      })
      return Readable.from(readFile(db, { id, size: file.size }), { objectMode: false })
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
      // What is clear before the file is read.
      if (Number(request.headers['content-length'] ?? 0) > limits.importMax) throw tooLarge()
      if (await isImporting(db, viewer.id)) throw new ApiError('under-way')
      const received = await receiveFile(db, viewer.id, source)
      const begun = await db.begin(async (tx) => {
        const row = await beginImport(tx, { ...received, user_id: viewer.id })
        if (row !== null) await jobs.send(tx, readImport, { import_id: row.id })
        return row
      })
      if (begun !== null) return begun
      await discardImport(db, received.id)
      throw new ApiError('under-way')
    },
    { limit: 'import' },
  )

  mount(app, listImports, async ({ input, viewer }) => {
    const { count, results } = await readImports(db, viewer.id, rangeOf(input.query))
    return answerPage(listImports, input, count, results)
  })

  mount(app, getImport, async ({ input, viewer }) => {
    const found = await readImported(db, viewer.id, input.params.id)
    if (found === null) throw new ApiError('not-found')
    return found
  })
}
