/** Screens imported collections and profiles: names and texts that a content rule refuses are replaced. */
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { createYield } from '../../core/yield.ts'
import { type CompiledRules, reportHeldUser, screenContent } from '../moderation/public-api.ts'

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

/** A collection of the file with what is imported of it. */
export interface ScreenedContainer {
  allowed: TransferContainer
  /** Why the name and description were replaced; null if they were not. */
  refusal: string | null
  /** The same for its channels, in their order. */
  channelRefusals: (string | null)[]
}

/** Replaces the names and descriptions of collections and channels that a content rule refuses. */
export async function screenContainers(
  tx: Db,
  rules: CompiledRules,
  userId: number,
  containers: readonly TransferContainer[],
): Promise<ScreenedContainer[]> {
  const letOthersRun = createYield()
  const screen = async <P extends { name: string; description: string }>(
    what: string,
    container: P,
    isPublic: boolean,
  ): Promise<{ allowed: P; refusal: string | null }> => {
    await letOthersRun()
    const outcome = screenTexts(rules, container.name, container.description)
    // Moderators must not learn about private collections: those are screened again once they become public.
    if (outcome?.held !== undefined && isPublic)
      await reportHeldUser(tx, userId, `A collection or channel. ${outcome.held}`)
    if (outcome?.refused === undefined) return { allowed: container, refusal: null }
    return { allowed: { ...container, name: `Imported ${what}`, description: '' }, refusal: outcome.refused }
  }
  const screened: ScreenedContainer[] = []
  for (const container of containers) {
    const isPublic = container.access === 'public'
    const channels = []
    for (const channel of container.channels) channels.push(await screen('channel', channel, isPublic))
    const { allowed, refusal } = await screen('collection', container, isPublic)
    screened.push({
      allowed: { ...allowed, channels: channels.map((channel) => channel.allowed) },
      refusal,
      channelRefusals: channels.map((channel) => channel.refusal),
    })
  }
  return screened
}

/** Removes a bio that a content rule refuses, and returns why. */
export async function screenProfile(
  tx: Db,
  rules: CompiledRules,
  userId: number,
  profile: TransferProfile,
): Promise<{ allowed: TransferProfile; refusal: string | null }> {
  const outcome = screenTexts(rules, profile.bio)
  if (outcome?.held !== undefined) await reportHeldUser(tx, userId, `The bio. ${outcome.held}`)
  if (outcome?.refused === undefined) return { allowed: profile, refusal: null }
  return { allowed: { ...profile, bio: '' }, refusal: outcome.refused }
}
