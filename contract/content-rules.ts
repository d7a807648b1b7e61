/** Content rules: patterns of moderators that hold matching content for review or refuse it. */
import * as t from 'typebox'
import { ruleKinds } from './moderation-names.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, optionalText, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

export { ruleKinds }

/**
 * `host`: links to a site and its subdomains. `word`: whole words, ignoring case and accents. `tag`: the exact tag.
 */
export const RuleKind = t.Enum(ruleKinds)
export type RuleKind = t.Static<typeof RuleKind>

/** `hold`: saved, and shown to others once a moderator approves it. `refuse`: not saved. */
export const ruleEffects = ['hold', 'refuse'] as const
export const RuleEffect = t.Enum(ruleEffects)
export type RuleEffect = t.Static<typeof RuleEffect>

export const ContentRule = t.Object({
  id: Id,
  kind: RuleKind,
  /** In its normalised form: `EXAMPLE.org/path` is stored as `example.org`, `Größe` as `grosse`. */
  pattern: t.String(),
  effect: RuleEffect,
  /** A remark for other moderators. */
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
  summary: 'List content rules, newest first',
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
  summary: 'Create a content rule; it applies within a second in every process',
  body: t.Object({ kind: RuleKind, pattern, effect: RuleEffect, note }, { additionalProperties: false }),
  status: 201,
  reply: ContentRule,
  /** rule-exists comes with `rule_id`. */
  errors: ['invalid', 'rule-exists', 'limit-reached'],
})

export const updateContentRule = endpoint({
  ...moderatorBase,
  method: 'PATCH',
  path: '/moderation/rules/:id/',
  summary: 'Change the effect or note of a content rule',
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
  summary: 'Delete a content rule; content it held stays in review',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['not-found'],
})

const rulePreviewFields = { matched: t.Integer(), scanned: t.Integer() }

export const previewRule = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/rules/preview/',
  summary: 'Preview which of the newest public bookmarks, comments and users a rule would match',
  invalidatesCache: false,
  body: t.Object({ kind: RuleKind, pattern }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({
    kind: RuleKind,
    /** The pattern in its normalised form. */
    pattern: t.String(),
    /** The existing rule with this pattern, if there is one. */
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
