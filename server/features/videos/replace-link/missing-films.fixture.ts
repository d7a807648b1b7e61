import type { Outbound } from '../../../core/outbound/outbound.ts'
import type { TestApp } from '../../../testing/test-app.ts'

/** Returns the link of a page that `filmPages` answers. */
export const pageOf = (name: string) => `https://other.example.org/watch/${name}`

/** Answers every link with the page of a video of 61 seconds, unless `statuses` has another status for it. */
export function filmPages() {
  const statuses = new Map<string, number>()
  const requested: string[] = []
  const outbound: Outbound = {
    async get(url) {
      requested.push(url)
      const status = statuses.get(url) ?? 200
      const html =
        '<meta property="og:title" content="Found"><meta property="og:video:duration" content="61"><video src="/a.mp4"></video>'
      return {
        url,
        status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        contentType: 'text/html',
        body: Buffer.from(status === 200 ? html : ''),
      }
    },
    close: async () => {},
  }
  return { outbound, statuses, requested }
}

/** Stores what the job stores after failed checks on three days. */
export async function markMissing(site: TestApp, videoId: number): Promise<void> {
  await site.db`
    update videos set missing_since = now(), missing_found_at = now(), missing_since_bookmark_id = 1000000,
                      missing_confirmed_bookmark_id = 1000000 where id = ${videoId}`
}
