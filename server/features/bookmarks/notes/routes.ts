import * as contract from '@reelmark/contract/timed-notes.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { type CompiledRules, currentRules, screenContent } from '../../moderation/public-api.ts'
import * as queries from './queries.ts'

const noteLimit = { limit: 'timed-note' } as const

export function registerNotes(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, contract.listOwnNotes, async ({ input: { params }, viewer }) => ({
    notes: await queries.listOwnNotes(db, params.id, viewer),
  }))

  mount(
    app,
    contract.createNote,
    async ({ input: { params, body }, viewer, tx }) => {
      if (body.access === 'public') screenPublicNote(await currentRules(db, tx), body.text)
      return queries.insertNote(tx, params.id, viewer, body)
    },
    { ...noteLimit, changes: ({ input: { body } }) => (body.access === 'public' ? 'everything' : []) },
  )

  mount(
    app,
    contract.updateNote,
    async ({ input: { params, body }, viewer }) => {
      const rules = await currentRules(db)
      return db.begin(async (tx) => {
        const note = await queries.updateNote(tx, params.id, viewer, body)
        if (note.access === 'public') screenPublicNote(rules, note.text)
        return note
      })
    },
    noteLimit,
  )

  mount(
    app,
    contract.deleteNote,
    async ({ input: { params }, viewer }) => {
      await queries.deleteNote(db, params.id, viewer)
      return null
    },
    noteLimit,
  )
}

/** Refuses a public note that a content rule refuses or would hold: a note is too short to wait for a moderator. */
function screenPublicNote(rules: CompiledRules, text: string): void {
  if (screenContent(rules, [{ field: 'text', text }]) === null) return
  throw new InvalidFields({
    text: ["This text can't be public here without a review. Change it, or save the note as private."],
  })
}
