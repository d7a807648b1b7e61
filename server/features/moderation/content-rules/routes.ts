/** Endpoints for moderators to manage content rules. */
import * as contract from '@reelmark/contract/content-rules.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { audit } from '../audit/audit-log.ts'
import { normalisePattern } from './match-rules.ts'
import * as queries from './queries.ts'
import { invalidateRules } from './screen-content.ts'

export function registerContentRules(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, contract.listContentRules, async ({ input }) => {
    const { count, results } = await queries.listContentRules(db, input.query, offsetOf(input.query))
    return pageReply(contract.listContentRules, input, count, results)
  })

  mount(app, contract.createContentRule, async ({ input: { body }, viewer }) => {
    const { kind, effect, note = '' } = body
    const pattern = parsePattern(kind, body.pattern)
    const id = await db.begin(async (tx) => {
      const created = await queries.createContentRule(tx, viewer.id, { kind, pattern, effect, note })
      await audit(tx, {
        actor: viewer,
        action: 'create-rule',
        target_kind: 'rule',
        target_id: created,
        after: { kind, pattern, effect, note },
      })
      return created
    })
    invalidateRules(db)
    return queries.readContentRule(db, id)
  })

  mount(app, contract.updateContentRule, async ({ input: { params, body }, viewer }) => {
    await db.begin(async (tx) => {
      const before = await queries.updateContentRule(tx, params.id, body)
      await audit(tx, {
        actor: viewer,
        action: 'edit-rule',
        target_kind: 'rule',
        target_id: params.id,
        before,
        after: { ...before, ...body },
      })
    })
    invalidateRules(db)
    return queries.readContentRule(db, params.id)
  })

  mount(app, contract.deleteContentRule, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      const before = await queries.deleteContentRule(tx, params.id)
      await audit(tx, {
        actor: viewer,
        action: 'remove-rule',
        target_kind: 'rule',
        target_id: params.id,
        before,
      })
    })
    invalidateRules(db)
    return null
  })

  mount(
    app,
    contract.previewRule,
    async ({ input: { body }, readDb }) => {
      const pattern = parsePattern(body.kind, body.pattern)
      const rule_id = await queries.findContentRule(db, body.kind, pattern)
      return { kind: body.kind, pattern, rule_id, ...(await queries.previewRule(readDb, body.kind, pattern)) }
    },
    { limit: 'preview-rule' },
  )
}

const patternErrors = {
  host: 'Enter a site, like example.org.',
  word: 'Enter a word or phrase.',
  tag: 'Enter a tag.',
} as const

/** Returns the normalised pattern. @throws InvalidFields */
function parsePattern(kind: contract.RuleKind, typed: string): string {
  const pattern = normalisePattern(kind, typed)
  if (pattern === null) throw new InvalidFields({ pattern: [patternErrors[kind]] })
  return pattern
}
