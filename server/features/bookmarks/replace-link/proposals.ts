/** Which links can replace that of a video that is gone for everyone who saved it (docs/decisions/0090-replaced-links.md). */
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { canonicalise, canonicalLinks } from '../../../core/video-links/canonical-url.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { isNotRemoved, isVisibleVideo } from '../../../shared/visibility.ts'
import { type CompiledRules, isAllowed } from '../../moderation/public-api.ts'
import type { Facts } from '../facts.ts'
import { adultOrientationText } from '../save/rules.ts'
import { removedVideoText, type UpsertedVideo, upsertVideos } from '../save/upsert-videos.ts'
import { linkError, requireMissing, unchangedLinkText, videoOfLink } from './replace-link.ts'

/** A link with what its page contains. */
export interface FoundLink {
  link: string
  title: string
  facts: Facts
}

export interface ReplaceableVideo {
  id: number
  /** Of the lead bookmark. */
  title: string
}

/**
 * Returns the video of the viewer's bookmark, whose link can be replaced for everyone.
 * @throws as `requireMissing`; InvalidFields if no bookmark of it is public, so that proposing would reveal the viewer's own
 */
export async function requireReplaceable(db: Db, viewer: Viewer, id: number): Promise<ReplaceableVideo> {
  const { video_id } = await requireMissing(db, viewer, id)
  const [video] = await db<ReplaceableVideo[]>`
    select v.id, lead.title from videos v join bookmarks lead on lead.id = v.lead_bookmark_id
     where v.id = ${video_id} and ${isVisibleVideo(db)}`
  if (video === undefined) throw linkError('This video has no public bookmark. Replace the link of yours.')
  return video
}

/**
 * Checks a link as a save of it would be checked. One that a save would withhold is refused, too.
 * @throws InvalidFields for links that are refused, removed, the same, or of adult sites if the lead bookmark is `sfw`
 */
export async function requireUsable(
  db: Db,
  rules: CompiledRules,
  video: ReplaceableVideo,
  { link, title, facts }: FoundLink,
): Promise<void> {
  const { identity, embed_url } = canonicalise(link)
  const parts = [
    { field: 'source_url', link: identity.source_url },
    { field: 'source_url', text: title },
  ]
  if (!isAllowed(rules, parts)) throw linkError("This link can't be used for everyone.")
  const links = canonicalLinks(identity.canonical_url, [embed_url, facts.embed_url])
  const [checked] = await db<{ is_same: boolean; is_removed: boolean; orientation: string }[]>`
    select v.canonical_url = ${identity.canonical_url} as is_same, lead.orientation,
           exists (select from refused_links where canonical_hash in (select url_hash(l) from unnest(${links}::text[]) l))
             or exists (select from videos other
                         where other.canonical_hash = url_hash(${identity.canonical_url}) and not ${isNotRemoved(db, 'other')}) as is_removed
      from videos v join bookmarks lead on lead.id = v.lead_bookmark_id where v.id = ${video.id}`
  if (checked?.is_same) throw linkError(unchangedLinkText)
  if (checked?.is_removed) throw linkError(removedVideoText)
  if (checked?.orientation === 'sfw' && isAdultLink(identity.source_url))
    throw linkError(adultOrientationText)
}

/**
 * Finds or creates the video of an agreed link, and locks it.
 * @returns null if a save of the link would be refused or withheld by now
 */
export async function upsertSurvivor(
  tx: Db,
  rules: CompiledRules,
  { link, facts }: Omit<FoundLink, 'title'>,
): Promise<UpsertedVideo | null> {
  if (!isAllowed(rules, [{ field: 'source_url', link }])) return null
  const [saved] = await upsertVideos(tx, [{ ...videoOfLink(rules, link, facts), isPublic: true }])
  return saved ?? null
}
