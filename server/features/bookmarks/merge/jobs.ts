import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { mergeVideos } from './merge-videos.ts'
import { scanVideos } from './scan-videos.ts'

/** A run ends before the next one begins, which continues. */
const scanSeconds = 25
const mergeSeconds = 25
/** After an upgrade, millions of links may be compared, most of which must be read from the disk. */
const scanPauses = 4

/** Returns the job that merges videos which are the same, and looks for them after the rules that recognise links changed. */
export function mergeVideosQueue({ db, log }: Pick<Deps, 'db' | 'log'>): JobQueue<object> {
  return {
    name: 'merge-videos',
    changesResponses: true,
    cron: '* * * * *',
    retries: 0,
    seconds: 300,
    concurrency: 1,
    work: async () => {
      const { merged, renamed } = await scanVideos(db, { seconds: scanSeconds, pauses: scanPauses })
      if (merged + renamed > 0) log.info({ merged, renamed }, 'videos have another canonical link')
      await mergeVideos(db, { seconds: mergeSeconds })
    },
  }
}
