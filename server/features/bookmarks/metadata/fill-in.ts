/** Fills in what an imported bookmark lacks with what its page contains. */
import type { ExtractedVideo } from '@reelmark/contract/extraction.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { canonicalise } from '../../../core/video-links/canonical-url.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { fetchThumbnailJob, noThumbnail } from '../../../shared/thumbnails.ts'
import { isInLibrary } from '../../../shared/visibility.ts'
import { type CompiledRules, isAllowed, metadataParts } from '../../moderation/public-api.ts'
import { extractedFacts } from '../extracted-facts.ts'
import { type Facts, factColumns, noFacts } from '../facts.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'
import type { NewVideo } from '../save/rules.ts'
import { upsertVideos } from '../save/upsert-videos.ts'
import { withAllowedUploader } from '../uploaders.ts'

type Dependencies = Pick<Deps, 'jobs' | 'settings'> & { rules: CompiledRules }

interface RequestedRow {
  identity: NewVideo['identity']
  own: Facts
  video: Facts
  title: string
  link_title: string | null
  orientation: Orientation
  is_public: boolean
  thumbnail_is_uploaded: boolean
}

/**
 * Fills in the title, if it is the link, and the facts that neither the bookmark nor its video has. What the server found for
 * a public bookmark is stored with the video, as in a save. Nothing that a content rule matches is filled in.
 * @param isLast whether the page is not requested again
 */
export async function fillInBookmark(
  tx: TransactionSql,
  { jobs, settings, rules }: Dependencies,
  { bookmark_id, found, isLast }: { bookmark_id: number; found: ExtractedVideo | null; isLast: boolean },
): Promise<void> {
  const [owner] = await tx<{ user_id: number }[]>`select user_id from bookmarks where id = ${bookmark_id}`
  if (owner === undefined) return
  await lockOwnBookmarks(tx, owner.user_id, [bookmark_id])
  const row = await readRequested(tx, bookmark_id)
  const filled =
    row === null || found === null
      ? null
      : await fillIn(tx, { jobs, settings, rules }, row, found, bookmark_id)
  await tx`
    update metadata_requests
       set state = case when ${isLast} then 'done' else state end,
           filled_title = coalesce(${filled?.title ?? null}, filled_title),
           filled_embed_url = coalesce(${filled?.embed_url ?? null}, filled_embed_url),
           filled_thumbnail_source_url = coalesce(${filled?.thumbnail_source_url ?? null}, filled_thumbnail_source_url)
     where bookmark_id = ${bookmark_id}`
}

/** Returns a locked bookmark whose request is waiting; null if it is not in the library of its owner any more. */
async function readRequested(tx: TransactionSql, id: number): Promise<RequestedRow | null> {
  const facts = (alias: string) =>
    tx.unsafe(`json_build_object(${factColumns.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`)
  const [row] = await tx<RequestedRow[]>`
    select json_build_object('canonical_url', v.canonical_url, 'source_url', v.source_url, 'host', v.host,
                             'provider', v.provider, 'provider_id', v.provider_id) as identity,
           ${facts('b')} as own, ${facts('v')} as video, b.title, r.link_title, b.orientation, b.is_public,
           b.thumbnail_is_uploaded
      from metadata_requests r join bookmarks b on b.id = r.bookmark_id join videos v on v.id = b.video_id
     where r.bookmark_id = ${id} and r.state = 'waiting' and ${isInLibrary(tx)}`
  return row ?? null
}

/** Stores what is missing, and returns what was stored with the bookmark itself; null if nothing was. */
async function fillIn(
  tx: TransactionSql,
  { jobs, settings, rules }: Dependencies,
  row: RequestedRow,
  found: ExtractedVideo,
  bookmarkId: number,
): Promise<{ title?: string } & Partial<Facts>> {
  const extracted = withAllowedUploader(extractedFacts(found, ownHosts(settings.publicUrl)) ?? noFacts, rules)
  const sent = { ...noFacts, ...missingFacts(row, extracted, rules) }
  const { identity: _, ...recognised } = canonicalise(row.identity.source_url)
  const video = { identity: row.identity, recognised: { ...noFacts, ...recognised }, sent }
  const [saved] = await upsertVideos(tx, [{ video, isPublic: row.is_public, extracted }])
  const own = saved == null ? noFacts : saved.own
  const changes: { title?: string } & Partial<Facts> = Object.fromEntries(
    factColumns.filter((name) => own[name] !== null).map((name) => [name, own[name]]),
  )
  if (
    row.title === row.link_title &&
    found.title !== '' &&
    isAllowed(rules, metadataParts({ title: found.title }))
  ) {
    changes.title = found.title
  }
  const picture =
    changes.thumbnail_source_url === undefined ? {} : { ...noThumbnail, thumbnail_state: 'pending' }
  if (Object.keys(changes).length > 0) {
    await tx`
      update bookmarks set ${tx({ ...changes, ...picture })}, updated_at = now() where id = ${bookmarkId}`
  }
  const owners = [
    ...(saved?.wants_picture ? [{ video_id: saved.id }] : []),
    ...(changes.thumbnail_source_url === undefined ? [] : [{ bookmark_id: bookmarkId }]),
  ]
  await jobs.sendMany(tx, fetchThumbnailJob, owners, { isUrgent: false })
  return changes
}

/** Returns the facts that are missing and that a save of the bookmark could contain. */
function missingFacts(row: RequestedRow, found: Facts, rules: CompiledRules): Partial<Facts> {
  const isMissing = (name: keyof Facts) => (row.own[name] ?? row.video[name]) === null
  const missing = Object.fromEntries(
    factColumns
      // The link of an uploader belongs to its name.
      .filter((name) => isMissing(name === 'uploader_url' ? 'uploader_name' : name))
      .map((name) => [name, found[name]]),
  ) as Partial<Facts>
  const player = missing.embed_url ?? null
  const isRefused =
    player !== null &&
    ((row.orientation === 'sfw' && isAdultLink(player)) ||
      !isAllowed(rules, [{ field: 'embed_url', link: player }]))
  return {
    ...missing,
    ...(isRefused && { embed_url: null }),
    ...(row.thumbnail_is_uploaded && { thumbnail_source_url: null }),
  }
}
