/** Decides which watched videos of another tool's file have to be saved, so that they can be in the user's history. */
import type { Db } from '../../core/database/database.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import type { ImportedItem } from './formats/imported-item.ts'
import { findVideos } from './import-user-data.ts'

/** How many links one query looks up. */
const linkBatch = 200

/**
 * Returns an object that collects watched videos in batches. A history consists of videos that its user can see: those that are
 * neither visible here nor saved by the same file have to be saved. The canonical URLs of the file are in memory, at most one per
 * row.
 * @param receive gets each watched video, in their order, and whether it has to be saved
 */
export function createHistoryReader(
  db: Db,
  userId: number,
  receive: (item: ImportedItem, mustSave: boolean) => Promise<void>,
) {
  const saved = new Set<string>()
  let pending: ImportedItem[] = []
  const keyOf = ({ url }: ImportedItem) => canonicalUrl(url) ?? url
  const flush = async () => {
    const items = pending
    pending = []
    const urls = items.map(({ url }) => url)
    const videos = urls.length === 0 ? [] : await findVideos(db, userId, urls)
    for (const [index, item] of items.entries()) {
      const key = keyOf(item)
      const mustSave = (videos[index] ?? null) === null && !saved.has(key)
      if (mustSave) saved.add(key)
      await receive(item, mustSave)
    }
  }
  return {
    /** Adds a video that is saved whether or not it was watched. Those of the whole file must be added first. */
    addSaved(item: ImportedItem): void {
      saved.add(keyOf(item))
    },
    async addWatched(item: ImportedItem): Promise<void> {
      pending.push(item)
      if (pending.length >= linkBatch) await flush()
    },
    flush,
  }
}
