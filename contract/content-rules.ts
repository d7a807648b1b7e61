/** Block lists: what moderators wrote down that holds what people write for review, or refuses it. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, optionalText, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

/** `host`: links to a site and what is below it; `word`: whole words, whatever their case and accents; `tag`: exactly. */
export const ruleKinds = ['host', 'word', 'tag'] as const
export const RuleKind = t.Enum(ruleKinds)
export type RuleKind = t.Static<typeof RuleKind>

/** `hold`: kept, and shown to others once a moderator has looked at it. `refuse`: not taken at all. */
export const ruleEffects = ['hold', 'refuse'] as const
export const RuleEffect = t.Enum(ruleEffects)
export type RuleEffect = t.Static<typeof RuleEffect>

export const ContentRule = t.Object({
  id: Id,
  kind: RuleKind,
  /** As it is compared: `EXAMPLE.org/path` is kept as `example.org`, `Größe` as `grosse`. */
  pattern: t.String(),
  effect: RuleEffect,
  /** For the other moderators. */
  note: t.String(),
  created_at: Time,
  updated_at: Time,
  created_by: t.Union([UserSummary, t.Null()]),
})
export type ContentRule = t.Static<typeof ContentRule>

const moderatorBase = { group: 'moderation', auth: 'moderator' } as const

const pattern = text(limits.ruleMax)
const note = t.Optional(optionalText(limits.notesMax))

export const listContentRules = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/rules/',
  summary: 'Block lists, the newest rule first',
  query: t.Object(
    { ...pageQuery, kind: t.Optional(RuleKind), search: t.Optional(t.String({ maxLength: limits.ruleMax })) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(ContentRule),
  errors: ['invalid', 'invalid-page'],
})

export const createContentRule = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/rules/',
  summary: 'Write a rule down: it counts from the next second on, in every process',
  body: t.Object({ kind: RuleKind, pattern, effect: RuleEffect, note }, { additionalProperties: false }),
  status: 201,
  reply: ContentRule,
  /** rule-there: with its `rule_id`. */
  errors: ['invalid', 'rule-exists', 'limit-reached'],
})

export const updateContentRule = endpoint({
  ...moderatorBase,
  method: 'PATCH',
  path: '/moderation/rules/:id/',
  summary: 'Change what a rule does',
  params: IdParams,
  body: t.Object({ effect: t.Optional(RuleEffect), note }, { additionalProperties: false }),
  status: 200,
  reply: ContentRule,
  errors: ['invalid', 'not-found'],
})

export const deleteContentRule = endpoint({
  ...moderatorBase,
  method: 'DELETE',
  path: '/moderation/rules/:id/',
  summary: 'Take a rule back; what it held goes on waiting',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['not-found'],
})

const rulePreviewFields = { matched: t.Integer(), scanned: t.Integer() }

export const previewRule = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/rules/try/',
  summary: 'What of the newest public bookmarks, comments and people a rule would have matched',
  invalidatesCache: false,
  body: t.Object({ kind: RuleKind, pattern }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({
    kind: RuleKind,
    /** As it would be kept. */
    pattern: t.String(),
    /** The rule that is there for it already. */
    rule_id: nullable(Id),
    bookmarks: t.Object({ ...rulePreviewFields, examples: t.Array(t.Object({ id: Id, title: t.String() })) }),
    comments: t.Object({
      ...rulePreviewFields,
      examples: t.Array(t.Object({ id: Id, content: t.String() })),
    }),
    users: t.Object({ ...rulePreviewFields, examples: t.Array(t.Object({ id: Id, username: t.String() })) }),
  }),
  errors: ['invalid', 'rate-limited'],
})
