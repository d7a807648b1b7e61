/** What of a file the block lists are about: places and profiles come in without the words that a rule refuses. */
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database.ts'
import { InvalidFields } from '../../core/errors.ts'
import { reportHeldPerson } from '../moderation/cards.ts'
import { type RuleBook, screen } from '../screening/cards.ts'
import { type Problem, problemWith } from './rules.ts'

type Place = TransferFile['collections'][number]
type Profile = TransferFile['profile']

/** Why something may not come in, or why moderators look at it; null: nothing is said against it. */
function judge(rules: RuleBook, ...texts: string[]): { refused?: string; held?: string } | null {
  try {
    const held = screen(
      rules,
      texts.map((text) => ({ field: 'text', text })),
    )
    return held === null ? null : { held }
  } catch (error) {
    if (error instanceof InvalidFields) return { refused: errorTexts(error.body)[0] ?? '' }
    throw error
  }
}

export async function screenPlaces(tx: Db, rules: RuleBook, userId: number, places: readonly Place[]) {
  const problems: Problem[] = []
  const allowed: Place[] = []
  const nameless = async <P extends { name: string; description: string }>(what: string, place: P) => {
    const judged = judge(rules, place.name, place.description)
    if (judged?.held !== undefined)
      await reportHeldPerson(tx, userId, `A collection or channel. ${judged.held}`)
    if (judged?.refused === undefined) return place
    problems.push(problemWith(`Name of a ${what}`, judged.refused))
    return { ...place, name: `Imported ${what}`, description: '' }
  }
  for (const place of places) {
    const channels = []
    for (const channel of place.channels) channels.push(await nameless('channel', channel))
    allowed.push({ ...(await nameless('collection', place)), channels })
  }
  return { allowed, problems }
}

export async function screenProfile(tx: Db, rules: RuleBook, userId: number, profile: Profile) {
  const judged = judge(rules, profile.bio)
  if (judged?.held !== undefined) await reportHeldPerson(tx, userId, `The bio. ${judged.held}`)
  if (judged?.refused === undefined) return { allowed: profile, problems: [] }
  return { allowed: { ...profile, bio: '' }, problems: [problemWith('The bio', judged.refused)] }
}
