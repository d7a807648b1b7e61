import { Readable } from 'node:stream'
import * as contract from '@reelmark/contract/sanctions.ts'
import type { FastifyInstance } from 'fastify'
import { cursorPage, parsePageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import * as auditLog from './audit-log.ts'

export function registerAuditLog(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, contract.listAuditLog, async ({ input }) => {
    const part = parsePageRequest(input.query)
    const { count, rows } = await auditLog.listAuditLog(db, input.query, part)
    return cursorPage(contract.listAuditLog, input, part, count, rows)
  })

  mount(app, contract.exportAuditLog, async ({ readDb, reply }) => {
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="reelmark-moderation.csv"')
    return Readable.from(auditLog.auditLogCsv(readDb))
  })

  mount(app, contract.getStatistics, async ({ input, readDb }) => {
    const days = input.query.days ?? 30
    return { days, ...(await auditLog.readStatistics(readDb, days)) }
  })

  mount(
    app,
    contract.getModerationCounts,
    async ({ readDb }) => ({ months: await auditLog.readMonthlyCounts(readDb) }),
    {
      cacheForVisitors: true,
    },
  )
}
