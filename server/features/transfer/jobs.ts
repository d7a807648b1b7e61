import type { Deps } from '../../app.ts'
import type { JobQueue } from '../../core/jobs.ts'
import { bringIn } from './bring-in.ts'
import { findLeftExports, removeExpiredExports } from './export-queries.ts'
import { findLeftImports, removeOldImports } from './import-queries.ts'
import { writeFile } from './write-file.ts'

/** Sent in the transaction that begins the export. */
export const writeExport = { name: 'write-export' }

/** Sent in the transaction that says that the file is there. */
export const readImport = { name: 'read-import' }

type Needs = Pick<Deps, 'db' | 'jobs' | 'log' | 'settings'>

/** Seconds that the largest account may take; what is left behind earlier is noticed by its silence. */
const longest = 6 * 60 * 60

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function transferQueues(needs: Needs): JobQueue<any>[] {
  const { db, jobs, log } = needs
  /** What fails or is killed is taken up by the next minute's look: one way for both, whoever is still there. */
  const orLeave = (work: Promise<void>, what: object) =>
    work.catch((error: unknown) => log.warn({ err: error, ...what }, 'a transfer was left for another try'))
  return [
    {
      ...writeExport,
      retries: 0,
      seconds: longest,
      concurrency: 2,
      work: ({ export_id }: { export_id: number }) => orLeave(writeFile(db, export_id), { export_id }),
    },
    {
      ...readImport,
      retries: 0,
      seconds: longest,
      concurrency: 2,
      work: ({ import_id }: { import_id: number }) => orLeave(bringIn(needs, import_id), { import_id }),
    },
    {
      name: 'resume-transfers',
      cron: '* * * * *',
      retries: 0,
      seconds: 50,
      concurrency: 1,
      work: async () => {
        for (const export_id of await findLeftExports(db)) await jobs.send(db, writeExport, { export_id })
        for (const import_id of await findLeftImports(db)) await jobs.send(db, readImport, { import_id })
      },
    },
    {
      name: 'remove-old-transfers',
      cron: '41 3 * * *',
      retries: 3,
      seconds: 600,
      concurrency: 1,
      work: async () => {
        await removeExpiredExports(db)
        await removeOldImports(db)
      },
    },
  ]
}
