/** Removes reported content, and refuses it permanently where the reason requires it. */

import type { ReportType } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { afterCommit } from '../../../core/database/transaction.ts'
import type { Deps } from '../../../core/deps.ts'
import { canonicalLinks } from '../../../core/video-links/canonical-url.ts'
import { audit } from '../audit/audit-log.ts'
import { reportRules } from '../reports/report-rules.ts'
import { sanction } from '../sanctions/sanction-queries.ts'
import { insertDecision, type Moderator, setTargetStatus } from './decision-queries.ts'
import type { LockedCase, OpenReport } from './lock-case.ts'
import { removeVideoPictures, removeVideoPicturesJob } from './remove-pictures.ts'
import { hideSimilarPicturesJob } from './similar-pictures.ts'

/** Removes a video or comment for everyone including its owners. Returns the decision's id, or null if it was removed before. */
export async function removeContent(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  found: LockedCase,
  statement: string,
): Promise<number | null> {
  const { kind, id, owner_id, video_id, named, title, state: before } = found
  if (before === 'deleted' || before === 'removed') return null
  // Inserted before the removal, because the users to notify are read from the bookmarks.
  const decision_id = await insertDecision(db, jobs, {
    action: 'remove',
    target_kind: kind,
    target_id: id,
    user_id: owner_id,
    video_id,
    reason: mostSevere(found),
    title,
    statement,
    moderator_id: moderator.id,
  })
  await setTargetStatus(db, { kind, id }, 'removed')
  await audit(db, {
    actor: moderator,
    action: 'remove',
    target_kind: kind,
    target_id: id,
    before: { status: before, title },
    after: { status: 'removed' },
    note: named.report_type,
  })
  return decision_id
}

/** Returns the most severe report type of a case, which determines whether the decision can be undone. */
function mostSevere({ open }: LockedCase): ReportType | null {
  const weight = ({ report_type }: OpenReport) => reportRules[report_type].weight
  return open.toSorted((a, b) => weight(b) - weight(a))[0]?.report_type ?? null
}

/**
 * Refuses the link, players and pictures of the video and of the reported bookmarks from now on, deletes the stored
 * pictures of the video and all its bookmarks once this is committed, and bans the owners of the reported content.
 */
export async function refusePermanently(
  db: Db,
  { jobs, media }: Pick<Deps, 'jobs' | 'media'>,
  moderator: Moderator,
  found: LockedCase,
): Promise<void> {
  const { kind, id, named } = found
  // An earlier removal for another reason becomes permanent, too.
  await db`
    update moderation_decisions set reason = ${named.report_type}
     where target_kind = ${kind} and target_id = ${id} and action = 'remove' and undone_at is null`
  if (kind === 'video') {
    const bookmarkIds = found.open.map(({ bookmark_id }) => bookmark_id)
    const [video] = await db<
      { canonical_url: string; players: (string | null)[]; hashes: (string | null)[] }[]
    >`
      select v.canonical_url, json_agg(facts.embed_url) as players, json_agg(facts.thumbnail_hash) as hashes
        from videos v,
             lateral (select v.embed_url, v.thumbnail_hash union all
                      select b.embed_url, b.thumbnail_hash from bookmarks b
                       where b.video_id = v.id and (b.id = v.lead_bookmark_id or b.id = any (${bookmarkIds}::bigint[]))) facts
       where v.id = ${id} group by v.id`
    if (video !== undefined) {
      const links = canonicalLinks(video.canonical_url, video.players)
      await db`
        insert into refused_links (canonical_hash)
        select distinct url_hash(link) from unnest(${links}::text[]) link on conflict do nothing`
      for (const hash of new Set(video.hashes)) {
        if (hash === null) continue
        await db`insert into refused_pictures (hash) values (${hash}::bit(64)) on conflict do nothing`
        await jobs.send(db, hideSimilarPicturesJob, { hash })
      }
    }
    await jobs.send(db, removeVideoPicturesJob, { video_id: id })
    afterCommit(db, (pool) => removeVideoPictures({ db: pool, media }, id))
  }
  const reported = found.open.filter(({ report_type }) => reportRules[report_type].isPermanent)
  const owners = new Set(reported.map(({ user_id }) => user_id))
  for (const user_id of owners) {
    // Moderators are not banned automatically: the report shows the owner, and other moderators can act.
    const [user] = await db<{ is_moderator: boolean }[]>`
      select is_moderator from users where id = ${user_id} and id <> ${moderator.id}`
    if (user === undefined || user.is_moderator || user_id === null) continue
    const statement = 'Content involving minors brings a permanent ban.'
    await sanction(db, jobs, moderator, { action: 'ban', user_id, reason: 'minors', statement, days: 0 })
  }
}
