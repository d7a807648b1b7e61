/** Whether what somebody says has to wait for a moderator, or is not taken: rules, links of newcomers, the same again. */
import { createHash } from 'node:crypto'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { isVisibleComment } from '../../shared/visibility.ts'
import type { HoldReason } from '../moderation/public-api.ts'
import { type CompiledRules, normalisedWords, screenContent } from '../moderation/public-api.ts'
import type { CommentContent } from './queries.ts'

const day = 24 * 60 * 60
/** Links of whoever is new wait: on their first day, and in as many comments. */
const newcomerComments = 3
/** Below so many letters people say the same without copying it: 'Lovely film!'. */
const minComparedLength = 20
/** One person says the same on so many videos within an hour, and no more. */
const maxSameOnVideos = 2
/** So many other new accounts said the same within a day: then it waits. */
const maxSameByOthers = 2

/**
 * What is kept of a comment. In the transaction that writes it down: one person's are judged one after the other.
 * @param ownHost links to this site are none
 * @throws InvalidFields where a rule refuses it, or it was said too often.
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
                                   limit ${newcomerComments}) first) as comments,
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
  if (held === null && hasLink && (viewer.account_age < day || past.comments < newcomerComments)) {
    held = {
      report_type: 'spam',
      notes: 'Held because it is a link in one of the first comments of a new account.',
    }
  }
  return { content, fingerprint, held }
}

/** The hosts of links, also of those that nobody made one of: `www.example.org`, `example.org/x`. */
function findLinkHosts(content: string): string[] {
  const found = content.matchAll(
    /(?:https?:\/\/|(?=www\.))([^\s/?#<>"']+)|([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?=\/)/giu,
  )
  return [...found].map(([, host = '', bare]) => (bare ?? host).toLowerCase())
}

/** The same for the same words, whatever stands between them and however they are written. */
function contentFingerprint(content: string, hasLink: boolean): Buffer | null {
  const words = normalisedWords(content)
  if (words.length < minComparedLength && !hasLink) return null
  return createHash('sha256').update(words).digest().subarray(0, 16)
}
