import { randomBytes } from 'node:crypto'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  testWebhook,
  updateWebhook,
} from '@reelmark/contract/webhooks.ts'
import type { FastifyInstance } from 'fastify'
import { encrypt } from '../../../core/auth/encryption.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { deliverWebhookJob } from './events.ts'
import * as queries from './queries.ts'
import { createdMail } from './webhook-mails.ts'

/** Bytes of a secret, as Standard Webhooks recommends. */
const secretBytes = 32

export function registerWebhooks(app: FastifyInstance): void {
  const { db, jobs, serverKeys, settings } = app.deps

  mount(app, listWebhooks, ({ viewer }) => queries.listWebhooks(db, viewer.id))

  mount(
    app,
    createWebhook,
    async ({ input: { body }, viewer }) => {
      if (body.events.includes('report.created') && !viewer.is_moderator)
        throw new InvalidFields({ events: ['Only moderators can be told about reports.'] })
      const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
      return db.begin(async (tx) => {
        const created = await queries.createWebhook(tx, {
          user_id: viewer.id,
          url: body.url,
          events: body.events,
          secret: encrypt(serverKeys.webhook, String(viewer.id), secret),
        })
        if (created === null) throw new ApiError('limit-reached')
        const mail = await createdMail(tx, viewer.id, settings)
        if (mail !== null) await queueMail(tx, app.deps, mail)
        return { ...created, secret }
      })
    },
    { limit: 'webhook' },
  )

  mount(
    app,
    updateWebhook,
    async ({ input: { params, body }, viewer }) =>
      db.begin(async (tx) => {
        const changed = await queries.setEnabled(tx, viewer.id, params.id, body.is_enabled)
        if (changed === null) throw new ApiError('not-found')
        if (changed.is_enabled) await jobs.send(tx, deliverWebhookJob, { webhook_id: changed.id })
        return changed
      }),
    { limit: 'webhook' },
  )

  mount(app, deleteWebhook, async ({ input: { params }, viewer }) => {
    if (!(await queries.deleteWebhook(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })

  mount(
    app,
    testWebhook,
    async ({ input: { params }, viewer }) =>
      db.begin(async (tx) => {
        if (!(await queries.attemptNow(tx, viewer.id, params.id))) throw new ApiError('not-found')
        const queued = await queries.queueTest(tx, params.id)
        if (queued === null) throw new ApiError('limit-reached')
        await jobs.send(tx, deliverWebhookJob, { webhook_id: params.id })
        return queued
      }),
    { limit: 'webhook' },
  )

  mount(app, listWebhookDeliveries, async ({ input, viewer }) => {
    const found = await queries.listDeliveries(db, viewer.id, input.params.id, offsetOf(input.query))
    if (found === null) throw new ApiError('not-found')
    return pageReply(listWebhookDeliveries, input, found.count, found.results)
  })

  mount(
    app,
    resendWebhookDelivery,
    async ({ input: { params }, viewer }) =>
      db.begin(async (tx) => {
        const queued = await queries.requeueDelivery(tx, viewer.id, params)
        if (queued === null) throw new ApiError('not-found')
        await jobs.send(tx, deliverWebhookJob, { webhook_id: params.id })
        return queued
      }),
    { limit: 'webhook' },
  )
}
