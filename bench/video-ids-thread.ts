/** A thread that computes derive_video_id() of all videos while the main thread draws who saved them. */
import { hash } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { videoUrl } from './generated-site.ts'

/** The ids by the number of the video, in shared memory; and the database's key for deriving them. */
const { ids, key } = workerData as { ids: Float64Array; key: Uint8Array }

for (let video = 0; video < ids.length; video++) {
  const urlHash = hash('sha256', videoUrl(video), 'buffer')
  const id = hash('sha256', Buffer.concat([key, urlHash, Buffer.alloc(4)]))
  ids[video] = Number.parseInt(id.slice(0, 13), 16)
}
