/** Columns of bookmarks and their videos, as fragments of a select. */
import { metadataTextNames } from '@reelmark/contract/video-facts.ts'
import type { Db, Fragment } from '../core/database/database.ts'

/** The columns of the texts that owners enter, of bookmarks `b`. */
export function metadataTextColumns(db: Db): Fragment {
  return db.unsafe(metadataTextNames.map((name) => `b.${name}`).join(', ')) as Fragment
}

/** The same columns as arguments of `json_build_object`. */
export function metadataTextPairs(db: Db): Fragment {
  return db.unsafe(metadataTextNames.map((name) => `'${name}', b.${name}`).join(', ')) as Fragment
}

/** The columns `thumbnail_url` and `thumbnail_large_url` of bookmarks `b` of videos `v`: on our own origin, or null. */
export function thumbnailUrls(db: Db): Fragment {
  return db`${thumbnailUrl(db)} as thumbnail_url,
            '/media/' || coalesce(b.thumbnail_large_key, v.thumbnail_large_key) as thumbnail_large_url`
}

/** The card thumbnail of bookmarks `b` of videos `v`: the owner's, else the video's; null until one is stored. */
export function thumbnailUrl(db: Db): Fragment {
  return db`'/media/' || coalesce(b.thumbnail_key, v.thumbnail_key)`
}

/** The media key of the largest stored thumbnail of bookmarks `b` of videos `v`: the owner's, else the video's; or null. */
export function pictureKey(db: Db): Fragment {
  return db`coalesce(b.thumbnail_large_key, b.thumbnail_key, v.thumbnail_large_key, v.thumbnail_key)`
}

/** The shape of bookmarks `b` of videos `v`. */
export function effectiveShape(db: Db): Fragment {
  return db`coalesce(b.shape, v.shape, 'unknown')`
}

/** The name of the uploader of bookmarks `b` of videos `v`: the owner's, else the video's; or null. */
export function uploaderName(db: Db): Fragment {
  return db`coalesce(b.uploader_name, v.uploader_name)`
}

/** The link to the uploader that `uploaderName` names; or null. */
export function uploaderUrl(db: Db): Fragment {
  return db`case when b.uploader_name is null then v.uploader_url else b.uploader_url end`
}
