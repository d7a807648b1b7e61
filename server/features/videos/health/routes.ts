import { getVideoHealth } from '@reelmark/contract/video-health.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { readProgress } from './progress-queries.ts'

export function registerVideoHealth(app: FastifyInstance): void {
  const { settings } = app.deps
  mount(app, getVideoHealth, async ({ readDb }) => ({
    is_on: settings.linkChecksPerMinute > 0,
    ...(await readProgress(readDb)),
  }))
}
