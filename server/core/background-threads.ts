import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'

/** With this niceness, the thread that serves requests gets three times as much of a processor for which both compete. */
const niceness = 5

/**
 * Lets the threads that hash passwords, decode pictures and compress responses wait for the thread that serves requests,
 * while the machine is busy (bench/login-load.ts). Only Linux has priorities of threads; elsewhere, nothing changes.
 */
export function lowerBackgroundThreads(): void {
  const tasks = '/proc/self/task'
  try {
    for (const id of readdirSync(tasks)) {
      if (readFileSync(`${tasks}/${id}/comm`, 'utf8').trim() === 'libuv-worker')
        os.setPriority(Number(id), niceness)
    }
  } catch {
    // With equal priorities the site works, too.
  }
}
