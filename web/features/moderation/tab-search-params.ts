/**
 * The search parameters of the dashboard's tabs. Parameters at their default are undefined, invalid ones are dropped.
 */

import type { RuleKind } from '@reelmark/contract/content-rules.ts'
import { ruleKinds } from '@reelmark/contract/moderation-names.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { readId, readPage } from '../../shared/paging/search-params.ts'

export interface AppealsSearch {
  /** Undefined means open. */
  status?: 'granted' | 'rejected' | undefined
  page?: number | undefined
}

export function readAppealsSearch(search: Record<string, unknown>): AppealsSearch {
  const { status } = search
  return {
    status: status === 'granted' || status === 'rejected' ? status : undefined,
    page: readPage(search.page),
  }
}

export const userKinds = ['banned', 'suspended', 'moderators', 'verified'] as const

export interface UsersSearch {
  q?: string | undefined
  only?: (typeof userKinds)[number] | undefined
  page?: number | undefined
}

export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q).trim() : ''
  return {
    q: q.slice(0, limits.usernameMax) || undefined,
    only: userKinds.find((kind) => kind === search.only),
    page: readPage(search.page),
  }
}

export const auditTargetKinds = ['user', 'video', 'bookmark', 'comment', 'report', 'rule'] as const

export interface AuditLogSearch {
  actor?: string | undefined
  action?: string | undefined
  kind?: (typeof auditTargetKinds)[number] | undefined
  id?: number | undefined
  cursor?: string | undefined
}

export function readAuditLogSearch(search: Record<string, unknown>): AuditLogSearch {
  const text = (value: unknown, max: number) =>
    (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '').slice(0, max) ||
    undefined
  return {
    actor: text(search.actor, limits.usernameMax),
    action: text(search.action, 50),
    kind: auditTargetKinds.find((kind) => kind === search.kind),
    id: readId(search.id),
    cursor: text(search.cursor, 100),
  }
}

export const periods = [7, 30, 90, 366] as const
export const defaultDays = 30

export interface StatisticsSearch {
  /** Undefined means 30. */
  days?: number | undefined
}

export function readStatisticsSearch(search: Record<string, unknown>): StatisticsSearch {
  const days = periods.find((span) => span === Number(search.days))
  return { days: days === defaultDays ? undefined : days }
}

export interface RulesSearch {
  kind?: RuleKind | undefined
  page?: number | undefined
}

export function readRulesSearch(search: Record<string, unknown>): RulesSearch {
  return { kind: ruleKinds.find((kind) => kind === search.kind), page: readPage(search.page) }
}
