/** Appeals as moderators see and decide them. Users file them with `createAppeal` (contract/reports.ts). */
import * as t from 'typebox'
import { Decision } from './decisions.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, optionalText, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'
import { AppealStatus } from './reports.ts'

const moderatorBase = { group: 'moderation', auth: 'moderator' } as const

export const Appeal = t.Object({
  id: Id,
  decision: Decision,
  user: UserSummary,
  text: t.String(),
  status: AppealStatus,
  answer: t.String(),
  created_at: Time,
  decided_at: nullable(Time),
  decided_by: t.Union([UserSummary, t.Null()]),
  /** False for the moderator who made the decision, if another moderator exists. */
  can_decide: t.Boolean(),
})
export type Appeal = t.Static<typeof Appeal>

export const listAppeals = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/appeals/',
  summary: 'List appeals, oldest first',
  query: t.Object({ ...pageQuery, status: t.Optional(AppealStatus) }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Appeal),
  errors: ['invalid', 'invalid-page'],
})

export const decideAppeal = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/appeals/:id/',
  summary: 'Grant an appeal, which reverses the decision, or reject it',
  params: IdParams,
  body: t.Object(
    { decision: t.Enum(['grant', 'reject']), answer: t.Optional(optionalText(limits.notesMax)) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Appeal,
  /** cannot-review-own-decision: another moderator must decide. */
  errors: ['invalid', 'not-found', 'already-decided', 'cannot-review-own-decision', 'not-restorable'],
})
