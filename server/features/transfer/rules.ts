/** What an import makes of a file, and what a file is called: pure. */

/** `reelmark-alice-2026-11-21.json`; a username holds nothing that a header or a disk could stumble over. */
export function fileName({ username, finished_at }: { username: string; finished_at: Date }): string {
  return `reelmark-${username}-${finished_at.toISOString().slice(0, 10)}.json`
}
