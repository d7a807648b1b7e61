import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The yt-dlp that `npm test` installs (scripts/prerequisites.mjs); null without Python. */
export const ytDlpProgram = findProgram()

function findProgram(): string | null {
  const file = fileURLToPath(new URL('../../.cache/yt-dlp/yt-dlp', import.meta.url))
  if (existsSync(file)) return file
  process.stderr.write(
    'Skipped: yt-dlp is not installed. npm test installs it if there is Python with pip.\n',
  )
  return null
}
