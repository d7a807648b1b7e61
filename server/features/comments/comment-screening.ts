/** Decides whether a new or edited comment is accepted, held for a moderator or refused. */
import { createHash } from 'node:crypto'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { isVisibleComment } from '../../shared/visibility.ts'
import type { HoldReason } from '../moderation/public-api.ts'
import { type CompiledRules, normalisedWords, screenContent } from '../moderation/public-api.ts'
import type { CommentContent } from './queries.ts'

const day = 24 * 60 * 60
/** Links are held in this many first comments of an account, and during its first day. */
const newAccountComments = 3
/** Minimum length, in normalised characters, for two comments to count as the same. 'Lovely film!' may be repeated. */
const minComparedLength = 20
/** Maximum number of videos on which one user may post the same comment within an hour. */
const maxSameOnVideos = 2
/** A comment is held if this many other new accounts posted the same one within a day. */
const maxSameByOthers = 2

/**
 * Screens the content of a comment and returns what to store. Locks the user, so that concurrent comments of one user
 * are screened one after the other; call it in the transaction that stores the comment.
 * @param ownHost host of this site; links to it are not treated as links
 * @throws InvalidFields if a content rule refuses the comment or the user repeated it too often
 */
export async function screenComment(
  tx: Db,
  rules: CompiledRules,
  viewer: Viewer,
  content: string,
  ownHost: string,
): Promise<CommentContent> {
  const byRule = screenContent(rules, [{ field: 'content', text: content }])
  const hasLink = findLinkHosts(content).some((host) => host !== ownHost)
  const fingerprint = contentFingerprint(content, hasLink)
  let held: HoldReason | null = byRule === null ? null : { report_type: 'request_moderation', notes: byRule }
  if (viewer.is_moderator || (fingerprint === null && !hasLink)) return { content, fingerprint, held }

  await tx`select from users where id = ${viewer.id} for no key update`
  const [past] = await tx<[{ comments: number; videos: number; others: number }]>`
    select (select count(*) from (select from comments c where c.user_id = ${viewer.id} and ${isVisibleComment(tx)}
                                   limit ${newAccountComments}) first) as comments,
           count(distinct c.video_id) filter (
             where c.user_id = ${viewer.id} and c.created_at > now() - interval '1 hour') as videos,
           count(distinct c.user_id) filter (
             where c.user_id <> ${viewer.id} and u.created_at > now() - interval '7 days') as others
      from comments c join users u on u.id = c.user_id
     where c.fingerprint = ${fingerprint} and c.created_at > now() - interval '1 day'`
  if (past.videos >= maxSameOnVideos) {
    throw new InvalidFields({
      content: ["You've posted this comment on several videos. Change the text or wait an hour."],
    })
  }
  if (held === null && past.others >= maxSameByOthers && viewer.account_age < 7 * day) {
    held = { report_type: 'spam', notes: 'Held because several new accounts posted the same comment.' }
  }
  if (held === null && hasLink && (viewer.account_age < day || past.comments < newAccountComments)) {
    held = {
      report_type: 'spam',
      notes: 'Held because it is a link in one of the first comments of a new account.',
    }
  }
  return { content, fingerprint, held }
}

/** Returns the hosts linked in a text, including links without a scheme: `www.example.org`, `example.org/x`. */
export function findLinkHosts(content: string): string[] {
  const marked = [...content.matchAll(/(?:https?:\/\/|(?=www\.))([^\s/?#<>"']+)/gi)]
  const bare = [...content.matchAll(/(?<![\p{L}\p{N}-])([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(\/?)/gu)]
  return [...marked, ...bare.filter(([, , slash]) => slash === '/')].map(([, host = '']) =>
    host.toLowerCase(),
  )
}

/**
 * Returns a hash that is equal for texts with the same words, whatever their case, accents and punctuation; null for
 * short texts without a link.
 */
function contentFingerprint(content: string, hasLink: boolean): Buffer | null {
  const words = normalisedWords(content)
  if (words.length < minComparedLength && !hasLink) return null
  return createHash('sha256').update(words).digest().subarray(0, 16)
}
