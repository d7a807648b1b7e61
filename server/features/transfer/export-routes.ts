import { Readable } from 'node:stream'
import {
  downloadExport,
  type Export,
  type ExportSource,
  getExport,
  listExports,
  startExport,
} from '@reelmark/contract/transfer.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import {
  findExportFile,
  startExport as insertExport,
  ownsExportSource,
  getExport as readExport,
  readExportFile,
  listExports as readExports,
  readPictures,
} from './export-queries.ts'
import { writeExportJob } from './jobs.ts'
import { createPictureZip } from './picture-zip.ts'
import { exportFileName } from './rules.ts'

export function registerExports(app: FastifyInstance): void {
  // Reads from the primary, not a replica, because clients poll the progress every second.
  const { db, jobs, media } = app.deps

  mount(
    app,
    startExport,
    async ({ input: { query }, viewer }) => {
      requireValidSource(query)
      return db.begin(async (tx) => {
        if (!(await ownsExportSource(tx, viewer.id, query))) throw new ApiError('not-found')
        const started = await insertExport(tx, viewer.id, query)
        if (started === null) throw new ApiError('already-running')
        await jobs.send(tx, writeExportJob, { export_id: started.id })
        return started
      })
    },
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
      const content = Readable.from(readExportFile(db, { id, size: file.size }), { objectMode: false })
      const name = exportFileName(file, file.with_pictures ? 'zip' : file.format)
      reply.headers({
        'content-type': file.with_pictures ? 'application/zip' : contentTypes[file.format],
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      })
      if (file.with_pictures) {
        const first = { name: exportFileName(file), content }
        return createPictureZip(media, first, readPictures(db, id), file.finished_at)
      }
      reply.header('content-length', String(file.size))
      return content
    },
    { limit: 'download' },
  )
}

const contentTypes: Record<Export['format'], string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

/** @throws InvalidFields for combinations of parameters that do not exist */
function requireValidSource({ format = 'json', collection, smart_collection }: ExportSource): void {
  if (collection !== undefined && smart_collection !== undefined) {
    throw new InvalidFields({ smart_collection: ["This can't be combined with a collection."] })
  }
  if (format === 'json' && (collection !== undefined || smart_collection !== undefined)) {
    throw new InvalidFields({
      format: ['A JSON file contains everything. Choose HTML or CSV for a collection.'],
    })
  }
}
