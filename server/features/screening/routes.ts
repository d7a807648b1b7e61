/** Block lists, as moderators keep them. */
import * as contract from '@reelmark/contract/screening.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { InvalidFields } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { record } from '../moderation/cards.ts'
import { forgetRules } from './cards.ts'
import * as queries from './queries.ts'
import { tidyPattern } from './rules.ts'

export function registerScreening(app: FastifyInstance): void {
  const { db, readDb } = app.deps

  mount(app, contract.listRules, async ({ input }) => {
    const { count, results } = await queries.listRules(db, input.query, rangeOf(input.query))
    return answerPage(contract.listRules, input, count, results)
  })

  mount(app, contract.createRule, async ({ input: { body }, viewer }) => {
    const { kind, effect, note = '' } = body
    const pattern = patternOf(kind, body.pattern)
    const id = await db.begin(async (tx) => {
      const made = await queries.createRule(tx, viewer.id, { kind, pattern, effect, note })
      await record.audit(tx, {
        ...{ actor: viewer, action: 'create-rule', target_kind: 'rule', target_id: made },
        after: { kind, pattern, effect, note },
      })
      return made
    })
    forgetRules(db)
    return queries.readRule(db, id)
  })

  mount(app, contract.updateRule, async ({ input: { params, body }, viewer }) => {
    await db.begin(async (tx) => {
      const before = await queries.updateRule(tx, params.id, body)
      const deed = { actor: viewer, action: 'edit-rule', target_kind: 'rule', target_id: params.id } as const
      await record.audit(tx, { ...deed, before, after: { ...before, ...body } })
    })
    forgetRules(db)
    return queries.readRule(db, params.id)
  })

  mount(app, contract.removeRule, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      const before = await queries.removeRule(tx, params.id)
      const deed = {
        actor: viewer,
        action: 'remove-rule',
        target_kind: 'rule',
        target_id: params.id,
      } as const
      await record.audit(tx, { ...deed, before })
    })
    forgetRules(db)
    return null
  })

  mount(
    app,
    contract.tryRule,
    async ({ input: { body } }) => {
      const pattern = patternOf(body.kind, body.pattern)
      const rule_id = await queries.findRule(db, body.kind, pattern)
      return { kind: body.kind, pattern, rule_id, ...(await queries.tryRule(readDb, body.kind, pattern)) }
    },
    { limit: 'try-rule' },
  )
}

const wanted = {
  host: 'Enter a site, like example.org.',
  word: 'Enter a word or phrase.',
  tag: 'Enter a tag.',
} as const

/** @throws InvalidFields */
function patternOf(kind: contract.RuleKind, typed: string): string {
  const pattern = tidyPattern(kind, typed)
  if (pattern === null) throw new InvalidFields({ pattern: [wanted[kind]] })
  return pattern
}
