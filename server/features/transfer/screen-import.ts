/** Screens imported collections and profiles: names and texts that a content rule refuses are replaced. */
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { createYield } from '../../core/yield.ts'
import { type CompiledRules, reportHeldUser, screenContent } from '../moderation/public-api.ts'
import { describeProblem, type Problem } from './rules.ts'

type TransferContainer = TransferFile['collections'][number]
type TransferProfile = TransferFile['profile']

/** Screens texts; returns why they are refused or held, or null if no rule matches. */
function screenTexts(rules: CompiledRules, ...texts: string[]): { refused?: string; held?: string } | null {
  try {
    const held = screenContent(
      rules,
      texts.map((text) => ({ field: 'text', text })),
    )
    return held === null ? null : { held }
  } catch (error) {
    if (error instanceof InvalidFields) return { refused: errorTexts(error.body)[0] ?? '' }
    throw error
  }
}

export async function screenContainers(
  tx: Db,
  rules: CompiledRules,
  userId: number,
  containers: readonly TransferContainer[],
) {
  const problems: Problem[] = []
  const allowed: TransferContainer[] = []
  const letOthersRun = createYield()
  const withoutRefusedName = async <P extends { name: string; description: string }>(
    what: string,
    container: P,
    isPublic: boolean,
  ) => {
    await letOthersRun()
    const outcome = screenTexts(rules, container.name, container.description)
    // Moderators must not learn about private collections: those are screened again once they become public.
    if (outcome?.held !== undefined && isPublic)
      await reportHeldUser(tx, userId, `A collection or channel. ${outcome.held}`)
    if (outcome?.refused === undefined) return container
    problems.push(describeProblem(`Name of a ${what}`, outcome.refused))
    return { ...container, name: `Imported ${what}`, description: '' }
  }
  for (const container of containers) {
    const isPublic = container.access === 'public'
    const channels = []
    for (const channel of container.channels)
      channels.push(await withoutRefusedName('channel', channel, isPublic))
    allowed.push({ ...(await withoutRefusedName('collection', container, isPublic)), channels })
  }
  return { allowed, problems }
}

export async function screenProfile(tx: Db, rules: CompiledRules, userId: number, profile: TransferProfile) {
  const outcome = screenTexts(rules, profile.bio)
  if (outcome?.held !== undefined) await reportHeldUser(tx, userId, `The bio. ${outcome.held}`)
  if (outcome?.refused === undefined) return { allowed: profile, problems: [] }
  return { allowed: { ...profile, bio: '' }, problems: [describeProblem('The bio', outcome.refused)] }
}
