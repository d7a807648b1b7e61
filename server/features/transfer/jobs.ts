import type { JobQueue } from '../../core/database/jobs.ts'
import type { Deps } from '../../core/deps.ts'
import { findAbandonedExports, removeExpiredExports } from './export-queries.ts'
import { findAbandonedImports, removeOldImports } from './import-queries.ts'
import { runImport } from './run-import.ts'
import { writeExport } from './write-export.ts'

/** Sent in the transaction that begins the export. */
export const writeExportJob = { name: 'write-export' }

/** Sent in the transaction that says that the file is there. */
export const runImportJob = { name: 'run-import' }

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'settings'>

/** Seconds that the largest account may take; what is left behind earlier is noticed by its silence. */
const maxSeconds = 6 * 60 * 60

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function transferQueues(needs: Dependencies): JobQueue<any>[] {
  const { db, jobs, log } = needs
  /** What fails or is killed is taken up by the next minute's look: one way for both, whoever is still there. */
  const skipWhenClaimed = (work: Promise<void>, what: object) =>
    work.catch((error: unknown) => log.warn({ err: error, ...what }, 'a transfer was left for another try'))
  return [
    {
      ...writeExportJob,
      retries: 0,
      seconds: maxSeconds,
      concurrency: 2,
      work: ({ export_id }: { export_id: number }) =>
        skipWhenClaimed(writeExport(db, export_id), { export_id }),
    },
    {
      ...runImportJob,
      retries: 0,
      seconds: maxSeconds,
      concurrency: 2,
      work: ({ import_id }: { import_id: number }) =>
        skipWhenClaimed(runImport(needs, import_id), { import_id }),
    },
    {
      name: 'resume-transfers',
      cron: '* * * * *',
      retries: 0,
      seconds: 50,
      concurrency: 1,
      work: async () => {
        for (const export_id of await findAbandonedExports(db))
          await jobs.send(db, writeExportJob, { export_id })
        for (const import_id of await findAbandonedImports(db))
          await jobs.send(db, runImportJob, { import_id })
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
