import { chmodSync, mkdirSync } from 'node:fs'

/**
 * Creates the data folder, which only the account of this process can enter. Takes the rights of others to an existing
 * one away.
 */
export function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // On systems other than Linux the account of PostgreSQL must be able to enter the folder if root starts it.
  const isEnteredByOthers = process.getuid?.() === 0 && process.platform !== 'linux'
  if (!isEnteredByOthers) chmodSync(folder, 0o700)
}
