/** Counts what a file contains, before anything of it is imported. */
import type { ImportSummary } from '@reelmark/contract/imports.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database/database.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import { isNotTrashed } from '../../shared/visibility.ts'
import { createCollectionPlan } from './foreign-collections.ts'
import { isSavedItem, isVideoItem } from './foreign-items.ts'
import type { ForeignFormat } from './formats/detect-format.ts'
import { type ImportedItem, isRejected, type RejectedItem } from './formats/imported-item.ts'

/** How many of each a summary lists. */
const listedCollections = 100
const listedReasons = 20
const listedItems = 10
/** How many different tags are counted: a file can have millions. */
const countedTags = 10_000
/** How many links one query looks up. */
const linkBatch = 500

type Counts = Omit<
  ImportSummary,
  | 'tags'
  | 'collections_count'
  | 'channels'
  | 'collections'
  | 'rejected_reasons'
  | 'sample'
  | 'rejected_sample'
  | 'in_vault'
  | 'pictures'
>

function noCounts(): Counts {
  return {
    rows: 0,
    videos: 0,
    plain_links: 0,
    likes: 0,
    with_date: 0,
    with_note: 0,
    with_tags: 0,
    private: 0,
    access_unknown: 0,
    history: 0,
    subscriptions: 0,
    others: 0,
    rejected: 0,
  }
}

/** Returns an object that counts the items of another tool's file. @throws MalformedFile for too many folders */
export function createForeignSummary(db: Db, userId: number, format: ForeignFormat) {
  const counts = noCounts()
  const vault = createVaultCounter(db, userId)
  const tags = createTagCounter()
  const plan = createCollectionPlan(format.label)
  const collections: (ImportSummary['collections'][number] & { is_stated: boolean })[] = []
  const reasons = new Map<string, number>()
  const sample: ImportSummary['sample'] = []
  const rejected: RejectedItem[] = []

  const addRejected = (item: RejectedItem) => {
    counts.rejected += 1
    reasons.set(item.reason, (reasons.get(item.reason) ?? 0) + 1)
    if (rejected.length < listedItems) rejected.push(item)
  }
  const addToCollection = (item: ImportedItem, isVideo: boolean) => {
    const { collection } = plan.add(item)
    collections[collection] ??= {
      name: plan.collections[collection]?.name ?? '',
      access: 'public',
      videos: 0,
      plain_links: 0,
      channels: 0,
      is_stated: true,
    }
    const counted = collections[collection]
    counted[isVideo ? 'videos' : 'plain_links'] += 1
    if (item.is_private === true) counted.access = 'private'
    if (item.is_private === null) counted.is_stated = false
  }
  const addSaved = async (item: ImportedItem) => {
    const isVideo = isVideoItem(item, format)
    counts[isVideo ? 'videos' : 'plain_links'] += 1
    if (item.kind === 'liked') counts.likes += 1
    if (item.saved_at !== null) counts.with_date += 1
    if (item.note !== '') counts.with_note += 1
    if (item.tags.length > 0) counts.with_tags += 1
    if (item.is_private === true) counts.private += 1
    if (item.is_private === null) counts.access_unknown += 1
    tags.add(item.tags)
    addToCollection(item, isVideo)
    if (sample.length < listedItems) {
      const { title, url, folders, saved_at, is_private } = item
      sample.push({ title, url, is_video: isVideo, folders, tags: item.tags, saved_at, is_private })
    }
    await vault.add(item.url)
  }
  return {
    async add(item: ImportedItem | RejectedItem): Promise<void> {
      counts.rows += 1
      if (isRejected(item)) addRejected(item)
      else if (isSavedItem(item)) await addSaved(item)
      else counts[item.kind === 'watched' ? 'history' : 'subscriptions'] += 1
    },
    async finish(): Promise<ImportSummary> {
      collections.forEach((collection, index) => {
        collection.channels = plan.collections[index]?.channels.length ?? 0
      })
      return {
        ...counts,
        in_vault: await vault.finish(),
        tags: tags.count(),
        collections_count: collections.length,
        channels: collections.reduce((sum, { channels }) => sum + channels, 0),
        collections: collections.slice(0, listedCollections).map(({ is_stated, ...collection }) => ({
          ...collection,
          // One item that is marked as private makes the whole collection private.
          access: collection.access === 'private' || is_stated ? collection.access : null,
        })),
        rejected_reasons: [...reasons]
          .sort(([, a], [, b]) => b - a)
          .slice(0, listedReasons)
          .map(([reason, count]) => ({ reason, count })),
        sample,
        rejected_sample: rejected.map(({ file, row, what, reason }) => ({ file, row, what, reason })),
      }
    },
  }
}

/** Returns an object that counts the items of our own file, whose form was validated. */
export function createOwnSummary(db: Db, userId: number) {
  const counts = noCounts()
  const vault = createVaultCounter(db, userId)
  const tags = createTagCounter()
  const collections: ImportSummary['collections'] = []
  const sample: ImportSummary['sample'] = []
  let channels = 0

  const addCollection = ({ name, access, channels: inner }: TransferFile['collections'][number]) => {
    channels += inner.length
    collections.push({ name, access, videos: 0, plain_links: 0, channels: inner.length })
  }
  const addBookmark = async (bookmark: TransferFile['bookmarks'][number]) => {
    const { video, collection } = bookmark
    counts.rows += 1
    counts.videos += 1
    counts.with_date += 1
    if ((bookmark.private_note ?? '') !== '') counts.with_note += 1
    if (bookmark.tags.length > 0) counts.with_tags += 1
    if (bookmark.access === 'private') counts.private += 1
    tags.add(bookmark.tags)
    const container = collections[collection]
    if (container !== undefined) container.videos += 1
    if (sample.length < listedItems) {
      sample.push({
        title: bookmark.title || video.title,
        url: video.source_url,
        is_video: true,
        folders: container === undefined ? [] : [container.name],
        tags: bookmark.tags,
        saved_at: bookmark.created_at,
        is_private: bookmark.access === 'private',
      })
    }
    await vault.add(video.source_url)
  }
  return {
    async add(kind: string, item: unknown): Promise<void> {
      if (kind === 'collections') return addCollection(item as TransferFile['collections'][number])
      if (kind === 'bookmarks') return addBookmark(item as TransferFile['bookmarks'][number])
      counts.rows += 1
      if (kind === 'watched') counts.history += 1
      else counts.others += 1
      if (kind === 'likes') counts.likes += 1
    },
    async finish(): Promise<ImportSummary> {
      return {
        ...counts,
        in_vault: await vault.finish(),
        tags: tags.count(),
        collections_count: collections.length,
        channels,
        collections: collections.slice(0, listedCollections),
        rejected_reasons: [],
        sample,
        rejected_sample: [],
      }
    },
  }
}

/** Counts different tags, at most `countedTags`. */
function createTagCounter() {
  const names = new Set<string>()
  return {
    add(tags: readonly string[]): void {
      for (const tag of tags) if (names.size < countedTags) names.add(tag)
    },
    count: () => names.size,
  }
}

/** Counts links whose videos the user has saved, in batches. */
function createVaultCounter(db: Db, userId: number) {
  let links: (string | null)[] = []
  let count = 0
  const flush = async () => {
    const [found] = await db<[{ count: number }]>`
      select count(*) from unnest(${links.filter((link) => link !== null)}::text[]) link
       where exists (select from videos v join bookmarks b on b.video_id = v.id
                      where v.canonical_hash = url_hash(link) and b.user_id = ${userId} and ${isNotTrashed(db)})`
    count += found.count
    links = []
  }
  return {
    async add(url: string): Promise<void> {
      links.push(canonicalUrl(url))
      if (links.length >= linkBatch) await flush()
    },
    async finish(): Promise<number> {
      if (links.length > 0) await flush()
      return count
    },
  }
}
